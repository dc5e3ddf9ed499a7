//go:build linux

package machines

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/natstest"
)

// stage is a home, a model, and a server with workers.
type stage struct {
	*harness.Stage
	nats *natstest.Server
}

// set makes a stage whose parent starts the subagent of a call, and whose subagent answers by child.
func set(t *testing.T, call modeltest.Call, child func(h modeltest.Request) modeltest.Reply) *stage {
	t.Helper()
	return setFor(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			return child(h)
		case h.Answered("agent") || len(h.Notices()) > 0:
			return modeltest.Say("Done.")
		}
		return modeltest.Do(call)
	})
}

// setFor is set with a whole script.
func setFor(t *testing.T, script func(h modeltest.Request) modeltest.Reply) *stage {
	t.Helper()
	return setOn(t, natstest.Start(t), script)
}

// setOn is setFor with a server of its own.
func setOn(t *testing.T, nats *natstest.Server, script func(h modeltest.Request) modeltest.Reply) *stage {
	t.Helper()
	s := &stage{Stage: harness.NewStage(t, modeltest.Anthropic(), script), nats: nats}
	s.With("PAWL_REMOTE_NATS=" + nats.URL())
	return s
}

// away is a call of the agent tool for a subagent on another machine.
func away(background bool, more ...modeltest.Object) modeltest.Call {
	input := modeltest.Object{"description": "builder", "prompt": "build it", "isolation": "remote", "run_in_background": background}
	for _, one := range more {
		for name, value := range one {
			input[name] = value
		}
	}
	return modeltest.Use("agent", input)
}

// told is what the agent tool tells a parent of a subagent on another machine.
type told struct {
	AgentID  string `json:"agent_id"`
	RunID    string `json:"run_id"`
	Status   string
	Cause    string
	Output   string
	Message  string
	Error    struct{ Kind, Message string }
	Worktree *struct {
		Path, Branch, Why              string
		Kept                           bool
		Files, Added, Removed, Commits int
	}
}

func toldIn(t *testing.T, text string) (one told) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &one), text)
	return one
}

// parentTold is what the parent was told by the agent tool.
func (s *stage) parentTold(t *testing.T) told {
	t.Helper()
	return toldIn(t, s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0])
}

// export is a session as JSON; empty: the only one.
func (s *stage) export(t *testing.T, session string) string {
	t.Helper()
	if session == "" {
		list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
		require.Equal(t, 0, code, errs)
		session = strings.Fields(list)[0]
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	return out
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

// writeType makes a type of the user's own, with these lines more.
func writeType(t *testing.T, home, name, lines string) {
	t.Helper()
	folder := filepath.Join(home, "config", "agents")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	text := "---\nname: " + name + "\ndescription: digs\n" + lines + "---\nYou dig.\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, name+".md"), []byte(text), 0o600))
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
