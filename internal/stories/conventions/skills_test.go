//go:build unix

package conventions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

const skill = "---\nname: %s\ndescription: works on %s\n---\nThe body of %s.\n"

func skillFile(name string) string { return strings.ReplaceAll(skill, "%s", name) }

// Subagents are told of skills as their parent is, in whichever process they work, and a type that
// names some is told of those.
func TestSubagentsHaveTheSkillsThatTheirTypeNames(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"none", "process"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("use it") && !h.Answered("skill"):
					return modeltest.Do(modeltest.Use("skill", modeltest.Object{"name": "two"}), modeltest.Use("skill", modeltest.Object{"name": "one"}))
				case !h.Parent(), h.Answered("agent"):
					return modeltest.Say("Done.")
				}
				return modeltest.Do(
					modeltest.Use("agent", modeltest.Object{"description": "some", "prompt": "use it", "subagent_type": "some"}),
					modeltest.Use("agent", modeltest.Object{"description": "all", "prompt": "have all", "subagent_type": "explore", "isolation": isolation}),
				)
			})
			lay(t, s.Dir, map[string]string{
				".claude/skills/one/SKILL.md": skillFile("one"), ".claude/skills/two/SKILL.md": skillFile("two"),
				".pawl/agents/some.md": "---\nname: some\ndescription: d\ntools: read\nskills: two\nisolation: " + isolation + "\n---\nbody",
			})
			_, errs, code := s.Prompted(t, "--trust", "-p", "send them")
			require.Equal(t, 0, code, errs)
			some := s.Server.AwaitNth(t, 2, modeltest.FromChild("use it"))
			require.Contains(t, some.System, "- two: works on two")
			require.NotContains(t, some.System, "- one:")
			results := fmt.Sprint(some.ResultsOf("skill"))
			require.Contains(t, results, "The body of two.")
			require.NotContains(t, results, "The body of one.")
			all := s.Server.Await(t, modeltest.FromChild("have all"))
			require.Contains(t, all.System, "- one: works on one")
			require.Contains(t, all.Tools, "skill")
		})
	}
}

func TestAFolderWithoutSkillsHasNoToolForThem(t *testing.T) {
	t.Parallel()
	request, _, _ := told(t, stage(t, nil), "hi")
	require.NotContains(t, request.Tools, "skill")
	require.NotContains(t, request.System, "Skills:")
}

func TestTheListOfAHundredSkillsHasABudget(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 100 {
		name := fmt.Sprintf("skill-%d", i)
		files[".claude/skills/"+name+"/SKILL.md"] = "---\nname: " + name + "\ndescription: " + strings.Repeat("word ", 200) + "\n---\nbody"
	}
	s := stage(t, files)
	request, _, _ := told(t, s, "hi")
	_, list, _ := strings.Cut(request.System, "Skills:")
	require.Contains(t, list, "skill-99")
	require.Contains(t, list, "descriptions are cut here")
	require.Less(t, len(list), 14_000)
}
