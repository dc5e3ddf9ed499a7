package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// typed puts a file of a subagent type into the folder.
func (s *stage) typed(t *testing.T, name, front string) {
	t.Helper()
	path := filepath.Join(s.dir, ".pawl", "agents", name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("---\n"+front+"\n---\nSay moin first."), 0o600))
}

// In the widest mode there is: what holds the subagent is its type alone.
func TestTypeOfTheProjectDecidesWhatASubagentIsToldHasAndMayDo(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look") && h.answered("shell"):
			return say("Moin. I may not.")
		case h.child("look"):
			return do(use("shell", object{"command": "echo ran > made.txt"}))
		case h.answered("agent"):
			return say("It may not.")
		}
		return do(
			use("agent", object{"description": "a slip", "prompt": "look", "subagent_type": "lokker"}),
			use("agent", object{"description": "a look", "prompt": "look", "subagent_type": "looker"}),
		)
	})
	s.typed(t, "looker.md", "name: looker\ndescription: looks and asks\ntools: read, she*\npermission_mode: plan\nmodel: anthropic/other\nisolation: process")
	s.typed(t, "broken.md", "descripton: x")
	r, errs, code := s.prompted(t, "--trust", "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It may not.", r.Output)
	require.Contains(t, errs, `agent type .pawl/agents/broken.md:2: unknown key "descripton"; did you mean "description"?`)
	require.NoFileExists(t, s.dir+"/made.txt")

	parent := s.server.awaitNth(t, 2, fromParent)
	require.Contains(t, string(parent.raw), "looker: looks and asks")
	require.Contains(t, parent.resultsOf("agent")[0], "general, explore, plan, looker")
	require.Contains(t, parent.resultsOf("agent")[0], `did you mean "looker"?`)
	child := s.server.awaitNth(t, 2, fromChild("look"))
	require.Equal(t, []string{"read", "shell", "shell_kill", "shell_output"}, child.tools, "who has a shell reads and ends those in the background")
	require.Equal(t, "other", child.model)
	require.Contains(t, child.system, "Say moin first.")
	require.Contains(t, child.resultsOf("shell")[0], "plan mode")
	require.Contains(t, s.story(t, r.Session), `"isolation":"process"`)
}

func TestAgentsListsTypesWithTheirSourceAndDoctorWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	s.typed(t, "looker.md", "name: looker\ndescription: looks\ntools: read, grep")
	out, errs, code := run(t, s.dir, s.env, "agents")
	require.Equal(t, 0, code, errs)
	require.Regexp(t, `(?m)^looker +looks +read, grep +main agent's +\.pawl/agents/looker\.md \(not trusted yet\)$`, out)
	require.Regexp(t, `(?m)^explore .* built in$`, out)
	_, d := s.examined(t, 0)
	require.Equal(t, ".pawl/agents/looker.md, not trusted yet and not used", d.finding(t, "Agent types", "looker").Says)

	s.typed(t, "later.md", "description: apart\nisolation: worktree")
	s.typed(t, "broken.md", "description: x\ntools: raed")
	const wrong = `.pawl/agents/broken.md:3: tools: unknown tool "raed"; did you mean "read"?`
	out, errs, code = run(t, s.dir, s.env, "agents")
	require.Equal(t, 2, code, errs)
	require.Contains(t, out, wrong)
	out, errs, code = run(t, s.dir, s.env, "agents", "--json")
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
	_, d = s.examined(t, 1)
	require.Len(t, d.Problems, 1)
	require.Contains(t, d.Problems[0], wrong)
	require.Equal(t, ".pawl/agents/later.md, not trusted yet and not used", d.finding(t, "Agent types", "later").Says)
	left, err := filepath.Glob(filepath.Join(s.home, "*", "*"))
	require.NoError(t, err)
	require.Empty(t, left, "a look makes nothing")
}

func TestScreenSaysOnceThatATypeCannotBeUsed(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	s.typed(t, "broken.md", "description: x\ntools: raed")
	x := s.open(t)
	x.see("agent type .pawl/agents/broken.md:3:")
	require.Equal(t, 0, x.quit())
}

// typeRemark is a remark of pawl agents --json.
type typeRemark struct{ Where, Says string }
