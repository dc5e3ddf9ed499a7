package instructions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// checkout is a checkout, the folder app/web in it where the model works, and a user.
type checkout struct {
	t     *testing.T
	top   string
	place Place
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	c := &checkout{t: t, top: filepath.Join(top, "repo")}
	c.place = Place{Folder: filepath.Join(c.top, "app", "web"), Config: filepath.Join(top, "config"), Home: filepath.Join(top, "home")}
	for _, dir := range []string{filepath.Join(c.top, ".git"), c.place.Folder, c.place.Config, c.place.Home} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	return c
}

// lay writes a file below the checkout's root; a path from the root of the disk is taken as it is.
func (c *checkout) lay(name, text string) {
	c.t.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(c.top, name)
	}
	require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(c.t, os.WriteFile(path, []byte(text), 0o600))
}

// told are the texts that a model is given, with where they come from.
func told(all []agent.Instruction) (texts []string) {
	for _, one := range all {
		if one.Text != "" {
			texts = append(texts, one.Source+": "+strings.TrimSpace(one.Text))
		}
	}
	return texts
}

// notes are the lines about files of which nothing is given, or not all.
func notes(all []agent.Instruction) (lines []string) {
	for _, one := range all {
		if one.Note != "" {
			lines = append(lines, one.Source+": "+one.Note)
		}
	}
	return lines
}

// TestEveryFormIsReadInEveryPlace is the table of forms and places: what stands in the one folder,
// and what of it the model is told.
func TestEveryFormIsReadInEveryPlace(t *testing.T) {
	places := map[string]struct{ folder, prefix string }{
		"the root":           {".", "../../"},
		"between":            {"app", "../"},
		"here":               {"app/web", ""},
		"below":              {"app/web/src", "src/"},
		"further below":      {"app/web/src/deep/er", "src/deep/er/"},
		"the user's own":     {"CONFIG", "CONFIG"},
		"the home of Claude": {"CLAUDE", "~/.claude/"},
	}
	forms := map[string]struct {
		files map[string]string
		want  []string // names and texts, in order
	}{
		"AGENTS.md":                     {map[string]string{"AGENTS.md": "use tabs"}, []string{"AGENTS.md: use tabs"}},
		"CLAUDE.md":                     {map[string]string{"CLAUDE.md": "use tabs"}, []string{"CLAUDE.md: use tabs"}},
		"both":                          {map[string]string{"AGENTS.md": "agents", "CLAUDE.md": "claude"}, []string{"AGENTS.md: agents"}},
		"an empty AGENTS.md":            {map[string]string{"AGENTS.md": " \n", "CLAUDE.md": "claude"}, []string{"CLAUDE.md: claude"}},
		"nothing but a comment":         {map[string]string{"AGENTS.md": "<!-- later -->\n", "CLAUDE.md": "claude"}, []string{"CLAUDE.md: claude"}},
		"an include":                    {map[string]string{"AGENTS.md": "see @docs/style.md", "docs/style.md": "style"}, []string{"AGENTS.md: see @docs/style.md", "docs/style.md: style"}},
		"one at the end of a sentence":  {map[string]string{"CLAUDE.md": "Read @docs/style.md.", "docs/style.md": "style"}, []string{"CLAUDE.md: Read @docs/style.md.", "docs/style.md: style"}},
		"CLAUDE.md includes AGENTS.md":  {map[string]string{"CLAUDE.md": "@AGENTS.md", "AGENTS.md": "agents"}, []string{"AGENTS.md: agents"}},
		"AGENTS.md includes CLAUDE.md":  {map[string]string{"AGENTS.md": "@CLAUDE.md", "CLAUDE.md": "claude"}, []string{"AGENTS.md: @CLAUDE.md", "CLAUDE.md: claude"}},
		"included twice":                {map[string]string{"AGENTS.md": "@a.md\n@a.md\n@b.md", "a.md": "@b.md", "b.md": "b"}, []string{"AGENTS.md: @a.md\n@a.md\n@b.md", "a.md: @b.md", "b.md: b"}},
		"in a circle":                   {map[string]string{"AGENTS.md": "@a.md", "a.md": "@AGENTS.md @a.md"}, []string{"AGENTS.md: @a.md", "a.md: @AGENTS.md @a.md"}},
		"in code":                       {map[string]string{"AGENTS.md": "`@a.md` and ``` `` ```\n```sh\n@a.md\n```\n", "a.md": "a"}, []string{"AGENTS.md: `@a.md` and ``` `` ```\n```sh\n@a.md\n```"}},
		"in a comment":                  {map[string]string{"AGENTS.md": "one\n<!--\n@a.md\n-->\ntwo", "a.md": "a"}, []string{"AGENTS.md: one\ntwo"}},
		"names of people, mail, fields": {map[string]string{"AGENTS.md": "ask @anna or a@b.md, @org/pkg, @@a.md", "a.md": "a", "b.md": "b"}, []string{"AGENTS.md: ask @anna or a@b.md, @org/pkg, @@a.md"}},
		"with a blank in its path":      {map[string]string{"AGENTS.md": `@my\ notes.md`, "my notes.md": "mine"}, []string{`AGENTS.md: @my\ notes.md`, "my notes.md: mine"}},
	}
	for where, place := range places {
		for form, row := range forms {
			t.Run(where+"/"+form, func(t *testing.T) {
				c := newCheckout(t)
				dir := strings.NewReplacer("CONFIG", c.place.Config, "CLAUDE", filepath.Join(c.place.Home, ".claude")).Replace(place.folder)
				for name, text := range row.files {
					if where == "the home of Claude" && row.files["CLAUDE.md"] == "" {
						t.Skip("only CLAUDE.md is looked for there")
					}
					c.lay(filepath.Join(dir, name), text)
				}
				prefix := strings.Replace(place.prefix, "CONFIG", c.place.Config+"/", 1)
				var want []string
				for _, line := range row.want {
					want = append(want, prefix+line)
				}
				if where == "the home of Claude" && !strings.HasPrefix(row.want[0], "CLAUDE.md") {
					t.Skip("only CLAUDE.md is looked for there")
				}
				given := c.place.Read()
				if strings.Contains(where, "below") {
					require.Empty(t, told(given), "nothing was touched there")
					given = c.place.Below("src/deep/er/x.ts", given)
				}
				require.Equal(t, want, told(given))
				for _, line := range notes(given) {
					require.Contains(t, line, "is there", "nothing is wrong")
				}
			})
		}
	}
}

func TestInstructionsComeFromTheRootDownWithTheUsersFirst(t *testing.T) {
	c := newCheckout(t)
	c.lay(filepath.Join(c.place.Home, "style.md"), "of the home")
	c.lay(filepath.Join(c.place.Config, "AGENTS.md"), "own @~/style.md")
	c.lay(filepath.Join(c.place.Home, ".claude", "CLAUDE.md"), "another tool's")
	c.lay("AGENTS.md", "root")
	c.lay("app/CLAUDE.md", "@../AGENTS.md\nbetween")
	c.lay("app/web/AGENTS.override.md", "override")
	c.lay("app/web/AGENTS.md", "here")
	c.lay("app/web/CLAUDE.local.md", "local")
	c.lay("app/other/AGENTS.md", "elsewhere")
	c.lay("../AGENTS.md", "above the checkout")
	given := c.place.Read()
	require.Equal(t, []string{
		filepath.Join(c.place.Config, "AGENTS.md") + ": own @~/style.md", "~/style.md: of the home",
		"../../AGENTS.md: root", "../CLAUDE.md: @../AGENTS.md\nbetween", "AGENTS.override.md: override", "CLAUDE.local.md: local",
	}, told(given))
	require.Equal(t, []string{
		"~/.claude/CLAUDE.md: not read, because AGENTS.md is there", "AGENTS.md: not read, because AGENTS.override.md is there",
	}, notes(given))

	c.lay("app/web/src/CLAUDE.md", "@../../../AGENTS.md @../AGENTS.md\nsources")
	c.lay("app/web/src/x/AGENTS.md", "deep")
	require.Equal(t, []string{
		"src/CLAUDE.md: @../../../AGENTS.md @../AGENTS.md\nsources", "AGENTS.md: here", "src/x/AGENTS.md: deep",
	}, told(c.place.Below("src/x/y.ts", given)), "what the prompt has is left out")
	require.Empty(t, c.place.Below("y.ts", given))
	require.Empty(t, c.place.Below("../y.ts", given))
}

func TestOutsideOfACheckoutOnlyTheFolderItselfIsRead(t *testing.T) {
	c := newCheckout(t)
	require.NoError(t, os.Remove(filepath.Join(c.top, ".git")))
	c.lay("AGENTS.md", "above")
	c.lay("app/web/AGENTS.md", "here @../../AGENTS.md")
	given := c.place.Read()
	require.Equal(t, []string{"AGENTS.md: here @../../AGENTS.md"}, told(given))
	require.Equal(t, []string{"@../../AGENTS.md: not included by AGENTS.md: it is outside the checkout"}, notes(given))
}

func TestAWorktreeHasARootOfItsOwn(t *testing.T) {
	c := newCheckout(t)
	c.lay("AGENTS.md", "of the checkout around it")
	c.lay("app/web/.git", "gitdir: elsewhere")
	c.lay("app/web/AGENTS.md", "of the worktree")
	require.Equal(t, []string{"AGENTS.md: of the worktree"}, told(c.place.Read()))
}

func TestARuleThatDeniesReadingHoldsForInstructions(t *testing.T) {
	c := newCheckout(t)
	c.place.Readable = func(path string) error {
		if strings.Contains(path, "secret") || path == filepath.Join(c.top, "AGENTS.md") || path == "src/AGENTS.md" {
			return errors.New(path + " is denied")
		}
		return nil
	}
	c.lay("AGENTS.md", "denied")
	c.lay("app/web/AGENTS.md", "here @secret.md @link.md")
	c.lay("app/web/secret.md", "denied")
	require.NoError(t, os.Symlink("secret.md", filepath.Join(c.place.Folder, "link.md")))
	c.lay("app/web/src/AGENTS.md", "denied")
	given := c.place.Read()
	require.Equal(t, []string{"AGENTS.md: here @secret.md @link.md"}, told(given))
	require.Equal(t, []string{
		"../../AGENTS.md: " + filepath.Join(c.top, "AGENTS.md") + " is denied", "secret.md: secret.md is denied", "link.md: secret.md is denied",
	}, notes(given))
	require.Equal(t, []string{"src/AGENTS.md: src/AGENTS.md is denied"}, notes(c.place.Below("src/x", given)))
}

func TestWhatChangesIsReadAnew(t *testing.T) {
	c := newCheckout(t)
	c.lay("AGENTS.md", "one")
	require.Equal(t, []string{"../../AGENTS.md: one"}, told(c.place.Read()))
	c.lay("AGENTS.md", "two")
	c.lay("app/web/CLAUDE.md", "new")
	require.Equal(t, []string{"../../AGENTS.md: two", "CLAUDE.md: new"}, told(c.place.Read()))
}
