//go:build unix

package conventions

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// What teams have written for their other tools works without a change.
func TestFilesOfWellKnownRepositoriesLoadAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		repository, prompt string
		gets               []string // what the user's part holds
		knows              []string // what the system prompt holds
		not                []string
	}{
		{
			repository: "agent-cli", prompt: "/commit-push-pr",
			gets: []string{"- Branch now: main", "Status now: ?? .claude/", "Make one commit with a fitting message"}, not: []string{"allowed-tools", "not run", "!`"},
		},
		{
			repository: "agent-cli", prompt: "/dedupe 4711",
			gets: []string{"duplicates of the issue 4711."},
		},
		{
			repository: "skill-shelf", prompt: "/pdf-forms fill in a.pdf",
			gets:  []string{"For the fields of a form see FORMS.md", "ARGUMENTS: fill in a.pdf", ".claude/skills/pdf-forms"},
			knows: []string{"- pdf-forms: Everything about PDF forms.", "- brand-voice: Applies the house's voice to texts. Use it when a text goes to customers."},
		},
		{
			repository: "command-shelf", prompt: "/tools:api-scaffold users, with pages",
			gets: []string{"## Requirements\nusers, with pages\n", `f"price: ${requirements['cost']}"`}, not: []string{"claude-sonnet-4-0\n---"},
		},
		{
			repository: "command-shelf", prompt: "/feature-development a cart",
			gets: []string{"Plan a cart. Name interfaces", "Build a cart as planned."},
		},
		{
			repository: "spec-tool", prompt: "/speckit.specify Let people \"pay\" by $1",
			gets: []string{"```text\nLet people \"pay\" by $1\n```", "templates/spec-template.md", "## User stories (mandatory)"}, not: []string{"handoffs"},
		},
		{
			repository: "spec-tool", prompt: "/opsx:apply add-cart",
			gets: []string{"the tasks of the change add-cart, and tick"},
		},
		{
			repository: "web-framework", prompt: `/pr-review 42 "the cache layers"`,
			gets:  []string{`Review pull request #42 with an eye on "the cache layers".`},
			knows: []string{"- cache-rules: How pages are cached", "`pnpm build` builds all packages"},
		},
	} {
		t.Run(c.repository+c.prompt, func(t *testing.T) {
			t.Parallel()
			s := stage(t, nil)
			require.NoError(t, os.CopyFS(s.Dir, os.DirFS(filepath.Join("internal/stories/conventions/testdata", c.repository))))
			request, said, errs := told(t, s, c.prompt)
			require.NotContains(t, errs, "not used")
			for _, want := range c.gets {
				require.Contains(t, said, want)
			}
			for _, want := range c.knows {
				require.Contains(t, request.System, want)
			}
			for _, no := range c.not {
				require.NotContains(t, said, no)
			}
			_, errs, code := harness.Run(t, s.Dir, s.Env, "skills")
			require.Equal(t, 0, code, errs)
		})
	}
}
