package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// typed puts a file of a subagent type into the folder.
func typed(t *testing.T, s *harness.Stage, name, front string) {
	t.Helper()
	path := filepath.Join(s.Dir, ".pawl", "agents", name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("---\n"+front+"\n---\nSay moin first."), 0o600))
}

// In the widest mode there is: what holds the subagent is its type alone.
func TestTypeOfTheProjectDecidesWhatASubagentIsToldHasAndMayDo(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look") && h.Answered("shell"):
			return modeltest.Say("Moin. I may not.")
		case h.Child("look"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		case h.Answered("agent"):
			return modeltest.Say("It may not.")
		}
		return modeltest.Do(
			modeltest.Use("agent", modeltest.Object{"description": "a slip", "prompt": "look", "subagent_type": "lokker"}),
			modeltest.Use("agent", modeltest.Object{"description": "a look", "prompt": "look", "subagent_type": "looker"}),
		)
	})
	typed(t, s, "looker.md", "name: looker\ndescription: looks and asks\ntools: read, she*\npermission_mode: plan\nmodel: anthropic/other\nisolation: process")
	typed(t, s, "broken.md", "descripton: x")
	r, errs, code := s.Prompted(t, "--trust", "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It may not.", r.Output)
	require.Contains(t, errs, `agent type .pawl/agents/broken.md:2: unknown key "descripton"; did you mean "description"?`)
	require.NoFileExists(t, s.Dir+"/made.txt")

	parent := s.Server.AwaitNth(t, 2, modeltest.FromParent)
	require.Contains(t, string(parent.Raw), "looker: looks and asks")
	require.Contains(t, parent.ResultsOf("agent")[0], "general, explore, plan, looker")
	require.Contains(t, parent.ResultsOf("agent")[0], `did you mean "looker"?`)
	child := s.Server.AwaitNth(t, 2, modeltest.FromChild("look"))
	require.Equal(t, []string{"read", "shell", "shell_kill", "shell_output"}, child.Tools, "who has a shell reads and ends those in the background")
	require.Equal(t, "other", child.Model)
	require.Contains(t, child.System, "Say moin first.")
	require.Contains(t, child.ResultsOf("shell")[0], "plan mode")
	require.Contains(t, exportOf(t, s, r.Session), `"isolation":"process"`)
}

func TestAgentsListsTypesWithTheirSourceAndDoctorWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	typed(t, s, "looker.md", "name: looker\ndescription: looks\ntools: read, grep")
	out, errs, code := harness.Run(t, s.Dir, s.Env, "agents")
	require.Equal(t, 0, code, errs)
	require.Regexp(t, `(?m)^looker +looks +read, grep +main agent's +\.pawl/agents/looker\.md \(not trusted yet\)$`, out)
	require.Regexp(t, `(?m)^explore .* built in$`, out)
	_, d := examined(t, s, 0)
	require.Equal(t, ".pawl/agents/looker.md, not trusted yet and not used", d.finding(t, "Agent types", "looker").Says)

	typed(t, s, "later.md", "description: apart\nisolation: worktree")
	typed(t, s, "broken.md", "description: x\ntools: raed")
	const wrong = `.pawl/agents/broken.md:3: tools: unknown tool "raed"; did you mean "read"?`
	out, errs, code = harness.Run(t, s.Dir, s.Env, "agents")
	require.Equal(t, 2, code, errs)
	require.Contains(t, out, wrong)
	out, errs, code = harness.Run(t, s.Dir, s.Env, "agents", "--json")
	require.Equal(t, 2, code, errs)
	var list struct {
		Agents []struct {
			Name    string
			Trusted bool
		}
		Problems []typeRemark
	}
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list.Agents, 5)
	require.Equal(t, []typeRemark{{".pawl/agents/broken.md:3", `tools: unknown tool "raed"; did you mean "read"?`}}, list.Problems)
	_, d = examined(t, s, 1)
	require.Len(t, d.Problems, 1)
	require.Contains(t, d.Problems[0], wrong)
	require.Equal(t, ".pawl/agents/later.md, not trusted yet and not used", d.finding(t, "Agent types", "later").Says)
	left, err := filepath.Glob(filepath.Join(s.Home, "*", "*"))
	require.NoError(t, err)
	require.Empty(t, left, "a look makes nothing")
}

func TestScreenSaysOnceThatATypeCannotBeUsed(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	typed(t, s, "broken.md", "description: x\ntools: raed")
	x := s.Open(t)
	x.See("agent type .pawl/agents/broken.md:3:")
	require.Equal(t, 0, x.Quit())
}

// typeRemark is a remark of pawl agents --json.
type typeRemark struct{ Where, Says string }
