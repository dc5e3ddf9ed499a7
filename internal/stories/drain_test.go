package stories

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// endlessDig is a parent that launches a subagent which never ends.
func endlessDig(t *testing.T, told func(h modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	script := oneDig(digging("I have just begun", make(chan struct{})), "")
	return harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Parent() && len(h.Notices()) > 0 {
			return told(h)
		}
		return script(h)
	})
}

func TestPrintTellsTheParentThatTheTimeLimitStoppedItsSubagents(t *testing.T) {
	t.Parallel()
	s := endlessDig(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("The dig took too long.") })
	r, errs, code := s.Prompted(t, "--drain-timeout", "300ms", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "The dig took too long.", r.Output)
	require.Equal(t, "completed", r.Status)
	require.Equal(t, "canceled_by_user", r.Subagents[0].Status)
	require.Contains(t, s.Server.Await(t, func(h modeltest.Request) bool { return len(h.Notices()) > 0 }).Notices()[0], "time limit")
}

func TestPrintEndsAParentThatStartsMoreAfterTheTimeLimit(t *testing.T) {
	t.Parallel()
	s := endlessDig(t, func(h modeltest.Request) modeltest.Reply {
		if len(h.ResultsOf("agent")) > 0 {
			return modeltest.Say("Then once more.")
		}
		return modeltest.Do(modeltest.Launch("another dig", "dig somewhere else"))
	})
	r, errs, code := s.Prompted(t, "--drain-timeout", "300ms", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "Then once more.", r.Output)
	require.Len(t, r.Subagents, 2)
	for _, sub := range r.Subagents {
		require.Equal(t, "canceled_by_user", sub.Status)
	}
}

func TestPrintGivesTheParentsAnswerWhenItsSubagentsAreStoppedWithIt(t *testing.T) {
	t.Parallel()
	s := endlessDig(t, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	r, errs, code := s.Prompted(t, "--agents", "stop", "-p", "send one")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "It is on its way.", r.Output)
	require.Equal(t, "completed", r.Status)
}

func TestPrintOutlivesASignalThatItWasStartedToIgnore(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Still here.").Until(release) })
	path, err := harness.Binary()
	require.NoError(t, err)
	shell := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh", path}, s.Flags("-p", "go")...)...)
	var out bytes.Buffer
	shell.Dir, shell.Env, shell.Stdout = s.Dir, s.Env, &out
	require.NoError(t, shell.Start())
	s.Server.Await(t, modeltest.FromParent)
	require.NoError(t, shell.Process.Signal(syscall.SIGHUP))
	close(release)
	require.NoError(t, shell.Wait())
	require.Equal(t, "Still here.\n", out.String())
}

func TestAPromptMayBeginWithTheNameOfACommand(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		for _, m := range h.Messages {
			if m.Role == "user" {
				return modeltest.Say("You said: " + m.Text)
			}
		}
		return modeltest.Surprised()
	})
	for _, args := range [][]string{
		{"-p", "version"},
		{"-p", "show", "me", "the", "code"},
		{"--print", "sessions"},
		{"-p", "demo"},
		{"-p", "export the function"},
	} {
		prompt := strings.Join(args[1:], " ")
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags(args...)...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "You said: "+prompt+"\n", out)
	}
}
