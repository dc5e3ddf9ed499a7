//go:build unix

package conventions

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// In the widest mode there is: what holds the run, and the subagents that it starts, is its command.
func TestAllowedToolsNarrowTheRunAndItsSubagents(t *testing.T) {
	t.Parallel()
	try := []modeltest.Call{
		modeltest.Use("shell", modeltest.Object{"command": "mkdir -p made"}),
		modeltest.Use("shell", modeltest.Object{"command": "touch made.txt"}),
		modeltest.Use("write", modeltest.Object{"path": "made.txt", "content": "x"}),
		modeltest.Use("read", modeltest.Object{"path": ".claude/commands/add.md"}),
	}
	for _, isolation := range []string{"none", "process"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Answered("shell"), h.Answered("agent"):
					return modeltest.Say("Tried.")
				case h.Child("try too"), h.Asked("/add"):
					return modeltest.Do(append(try, delegated(h, isolation)...)...)
				}
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch later.txt"}))
			})
			lay(t, s.Dir, map[string]string{".claude/commands/add.md": "---\nallowed-tools: Bash(mkdir:*)\n---\nAdd all."})
			r, errs, code := s.Prompted(t, "--trust", "--permission-mode", "bypass", "-p", "/add")
			require.Equal(t, 0, code, errs)
			for _, who := range []modeltest.Request{s.Server.AwaitNth(t, 2, modeltest.FromParent), s.Server.AwaitNth(t, 2, modeltest.FromChild("try too"))} {
				shells := who.ResultsOf("shell")
				require.Len(t, shells, 2)
				require.Contains(t, shells[0], "exit code 0")
				require.Contains(t, shells[1], "limits this run to: reading, shell(mkdir *)")
				require.Contains(t, fmt.Sprint(who.ResultsOf("write")), "limits this run to")
				require.Contains(t, fmt.Sprint(who.ResultsOf("read")), "allowed-tools")
			}
			require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"))
			_, errs, code = s.Prompted(t, "--trust", "--permission-mode", "bypass", "--session", r.Session, "-p", "and now")
			require.Equal(t, 0, code, errs)
			require.FileExists(t, filepath.Join(s.Dir, "later.txt"), "the next run is as any other")
		})
	}
}

// delegated is the call by which a parent has a subagent try the same.
func delegated(h modeltest.Request, isolation string) []modeltest.Call {
	if !h.Parent() {
		return nil
	}
	return []modeltest.Call{modeltest.Use("agent", modeltest.Object{"description": "tries", "prompt": "try too", "isolation": isolation})}
}

func TestACommandNamesModelAndEffortOfItsRun(t *testing.T) {
	t.Parallel()
	s := stage(t, map[string]string{".pawl/commands/deep.md": "---\nmodel: anthropic/other\neffort: high\n---\nThink."})
	request, _, errs := told(t, s, "/deep")
	require.Equal(t, "other", request.Model, errs)
	require.Contains(t, string(request.Raw), "high")
	request, _, _ = told(t, s, "and you", "--continue")
	require.NotEqual(t, "other", request.Model, "the next run has the session's")
}
