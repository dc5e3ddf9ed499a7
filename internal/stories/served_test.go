package stories

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// delegate is another tool that delegates to Pawl: a client of pawl mcp serve, by the SDK of the
// protocol's makers.
type delegate struct {
	*sdk.ClientSession
	t   *testing.T
	pid int

	mu       sync.Mutex
	progress []string
}

func delegates(t *testing.T, s *harness.Stage, flags ...string) *delegate {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, append([]string{"mcp", "serve", "--model", s.Model}, flags...)...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.Stderr = os.Stderr
	d := &delegate{t: t}
	client := sdk.NewClient(&sdk.Implementation{Name: "another tool"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.progress = append(d.progress, r.Params.Message)
		},
	})
	d.ClientSession, err = client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	d.pid = cmd.Process.Pid
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// told is what a call gives.
type servedView struct {
	ID        string `json:"session_id"`
	Status    string `json:"status"`
	Output    string `json:"output"`
	Message   string `json:"message"`
	Title     string `json:"title"`
	Questions []struct{ Tool, Text string }
	Events    []struct{ Event string }
	Last      int
	Sessions  []servedView
}

// does makes a call that goes well.
func (d *delegate) does(tool string, arguments map[string]any) (view servedView) {
	d.t.Helper()
	text, failed := d.call(d.t.Context(), tool, arguments)
	require.False(d.t, failed, text)
	require.NoError(d.t, json.Unmarshal([]byte(text), &view), text)
	return view
}

// refused makes a call that is refused in one line.
func (d *delegate) refused(tool string, arguments map[string]any) string {
	d.t.Helper()
	text, failed := d.call(d.t.Context(), tool, arguments)
	require.True(d.t, failed, text)
	require.NotContains(d.t, text, "\n")
	return text
}

func (d *delegate) call(ctx context.Context, tool string, arguments map[string]any) (text string, failed bool) {
	d.t.Helper()
	params := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(tool)
	result, err := d.CallTool(ctx, params)
	require.NoError(d.t, err)
	require.Len(d.t, result.Content, 1)
	return result.Content[0].(*sdk.TextContent).Text, result.IsError
}

// gated is a model that answers a prompt once a gate is open, and asks for a command if it is told to.
func gated(gate string) func(modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("shell"):
			return modeltest.Say("It ran: " + strings.TrimSpace(strings.SplitN(h.ResultsOf("shell")[0], "\n", 2)[0]))
		case h.Asked("and then"):
			return modeltest.Say("And then this.")
		case h.Asked("say nothing"):
			return modeltest.Say("")
		case h.Asked("run it"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo made > made.txt"}))
		case h.Asked("wait"):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": gate}))
		}
		return modeltest.Say("Done with it.")
	}
}

func TestAnotherToolDelegatesToPawl(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), gated("none"))
	d := delegates(t, s)
	tools, err := d.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	require.ElementsMatch(t, []string{"start", "list", "output", "send", "stop"}, names, "and none to answer a question")
	require.Contains(t, d.InitializeResult().Instructions, "needs_you")

	begun := d.does("start", map[string]any{"prompt": "do it"})
	require.Equal(t, "running", begun.Status)
	require.Contains(t, begun.Message, "Do not start the same work again")
	ended := d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000})
	require.Equal(t, []string{"completed", "Done with it."}, []string{ended.Status, ended.Output})
	require.Contains(t, ran(t, s, "sessions"), begun.ID[:8], "it is a session like any other")

	d.does("send", map[string]any{"session_id": begun.ID, "message": "and then?"})
	ended = d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000, "since": 0})
	require.Equal(t, "And then this.", ended.Output)
	require.NotEmpty(t, ended.Events)
	require.Equal(t, "spawned", ended.Events[0].Event)
	require.Empty(t, d.does("output", map[string]any{"session_id": begun.ID, "since": ended.Last}).Events)

	empty := d.does("start", map[string]any{"prompt": "say nothing"})
	empty = d.does("output", map[string]any{"session_id": empty.ID, "wait_ms": 60000})
	require.Equal(t, "completed_empty", empty.Status)
	require.Contains(t, empty.Message, "no success")
	require.NotEmpty(t, empty.Output)

	all := d.does("list", nil)
	require.Len(t, all.Sessions, 2)
	require.Equal(t, []string{"do it", "completed"}, []string{all.Sessions[0].Title, all.Sessions[0].Status})
}

func TestAServedSessionThatNeedsAPersonSaysSoAndNobodyAnswersForThem(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), gated("none")).With("PAWL_ON_HANGUP=detach")
	d := delegates(t, s)
	begun := d.does("start", map[string]any{"prompt": "run it"})
	asks := d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000})
	require.Equal(t, "needs_you", asks.Status)
	require.Equal(t, "shell", asks.Questions[0].Tool)
	require.Contains(t, asks.Questions[0].Text, "echo made > made.txt")
	require.Contains(t, asks.Message, "pawl answer")
	d.does("send", map[string]any{"session_id": begun.ID, "message": "yes, I allow it"})
	require.Equal(t, "needs_you", d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 200}).Status, "a message is no answer")
	require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"))

	// Another server reaches none of it; neither does one after this is killed, and it goes on.
	other := delegates(t, s)
	require.Empty(t, other.does("list", nil).Sessions)
	require.Contains(t, other.refused("output", map[string]any{"session_id": begun.ID}), "none that this server has started")
	require.Contains(t, other.refused("stop", map[string]any{"session_id": begun.ID}), "none that this server has started")
	require.NoError(t, syscall.Kill(d.pid, syscall.SIGKILL))
	require.Eventually(t, func() bool { return len(openSessions(t, s)) == 1 }, modeltest.Patience, 20*time.Millisecond)
	ran(t, s, "answer", begun.ID, "yes")
	require.Contains(t, ran(t, s, "wait", begun.ID), "It ran")
	require.FileExists(t, filepath.Join(s.Dir, "made.txt"))
}

func TestAServedSessionIsStoppedByAStopAndNotByACallThatIsGivenUp(t *testing.T) {
	t.Parallel()
	gate := filepath.Join(t.TempDir(), "gate")
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("Through.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "while [ ! -e " + gate + " ]; do sleep 0.02; done", "description": "waiting at the gate"}))
	}).Configured(t, "permission_mode = \"bypass\"\n")
	d := delegates(t, s)
	begun := d.does("start", map[string]any{"prompt": "wait"})
	s.Server.Await(t, modeltest.FromParent)
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		for len(d.progress) == 0 {
			d.mu.Unlock()
			<-time.After(10 * time.Millisecond)
			d.mu.Lock()
		}
		giveUp()
	}()
	_, err := d.CallTool(ctx, func() *sdk.CallToolParams {
		p := &sdk.CallToolParams{Name: "output", Arguments: map[string]any{"session_id": begun.ID, "wait_ms": 60000}}
		p.SetProgressToken("output")
		return p
	}())
	require.ErrorIs(t, err, context.Canceled, "after it was told what goes on")
	require.Equal(t, "running", d.does("output", map[string]any{"session_id": begun.ID}).Status)

	second := d.does("start", map[string]any{"prompt": "wait as well", "permission_mode": "plan"})
	stopped := d.does("stop", map[string]any{"session_id": begun.ID, "reason": "enough"})
	require.Equal(t, "canceled_by_user", stopped.Status)
	require.Contains(t, stopped.Message, "do not start it again")
	require.Equal(t, "canceled_by_user", d.does("stop", map[string]any{"session_id": begun.ID}).Status, "the state that stands")
	require.NotEqual(t, second.ID, begun.ID)
	require.NotEqual(t, "canceled_by_user", d.does("output", map[string]any{"session_id": second.ID}).Status, "the other one goes on")

	// PAWL_ON_HANGUP=stop is the stage's: what still works ends with the server, in order.
	require.NoError(t, d.Close())
	s.AwaitNoHost(t)
}

func TestWhatAnotherToolMayNotStartIsRefusedInOneLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), gated("none"))
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, "sub"), 0o700))
	require.NoError(t, os.Symlink(t.TempDir(), filepath.Join(s.Dir, "out")))
	d := delegates(t, s, "--permission-mode", "accept-edits")
	for says, arguments := range map[string]map[string]any{
		"prompt is missing":   {"prompt": ""},
		"freer than":          {"prompt": "x", "permission_mode": "bypass"},
		"permission mode":     {"prompt": "x", "permission_mode": "yolo"},
		"is outside of":       {"prompt": "x", "folder": "/"},
		"out is outside of":   {"prompt": "x", "folder": "out"},
		"no such file":        {"prompt": "x", "folder": "nowhere"},
		"unknown field":       {"prompt": "x", "answer": "yes"},
		"it takes prompt":     {"prompt": 7},
		"unknown model":       {"prompt": "x", "model": "nobody/none"},
		"--effort":            {"prompt": "x", "effort": "huge"},
		"was not taken for":   {"prompt": "x", "model": "--trust"},
		"freer than accept-e": {"prompt": "x", "folder": "sub", "permission_mode": "bypass"},
	} {
		text := d.refused("start", arguments)
		if says != "unknown model" && says != "--effort" && says != "was not taken for" {
			require.Contains(t, text, says)
		}
	}
	require.Contains(t, d.refused("output", map[string]any{"session_id": "x", "wait_ms": 1}), "none that this server")
	require.Empty(t, d.does("list", nil).Sessions)
	begun := d.does("start", map[string]any{"prompt": "x", "folder": "sub"})
	require.Equal(t, "completed", d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000}).Status)
	require.Contains(t, d.refused("output", map[string]any{"session_id": begun.ID, "wait_ms": 60001}), "60000")

	_, errs, code := harness.Run(t, s.Dir, s.Env, "mcp", "serve", "--permission-mode", "yolo")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "yolo")
}

func TestNoCommandOfASessionDelegatesToPawl(t *testing.T) {
	t.Parallel()
	path, err := harness.Binary()
	require.NoError(t, err)
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say(h.ResultsOf("shell")[0])
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": path + " mcp serve < /dev/null; setsid " + path + " mcp serve < /dev/null 2>&1"}))
	})
	for _, kept := range []string{"PAWL_TOOLS_CONTAINMENT=subreaper", "PAWL_TOOLS_CONTAINMENT=auto"} {
		s.With(kept, "PAWL_SANDBOX=off")
		r, errs, code := s.Prompted(t, "-p", "delegate", "--permission-mode", "bypass")
		require.Equal(t, 0, code, errs)
		require.Equal(t, 2, strings.Count(r.Output, "cannot run inside a Pawl session"), r.Output)
	}
}

func TestASessionGoesOnWithTheModelItWasStartedWith(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), gated("none"))
	d := delegates(t, s)
	begun := d.does("start", map[string]any{"prompt": "do it", "model": "anthropic/claude-loopback-2"})
	require.Equal(t, "completed", d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000}).Status)
	s.AwaitNoHost(t)
	last := d.does("start", map[string]any{"prompt": "do that"}) // what settings leave open is the model used last
	require.Equal(t, "completed", d.does("output", map[string]any{"session_id": last.ID, "wait_ms": 60000}).Status)
	d.does("send", map[string]any{"session_id": begun.ID, "message": "and then?"})
	require.Equal(t, "And then this.", d.does("output", map[string]any{"session_id": begun.ID, "wait_ms": 60000}).Output)
	require.Equal(t, "claude-loopback-2", s.Server.Await(t, modeltest.ParentAsked("and then?")).Model)
}
