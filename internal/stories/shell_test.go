package stories

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// newLifeline is a pipe with a name: what holds its other end open lives.
type lifeline struct {
	path string
	held chan struct{} // closed when somebody does
	file *os.File      // from then on
	err  error
}

// newLifeline makes the pipe in the folder of the stage.
func newLifeline(t *testing.T, s *harness.Stage) *lifeline {
	t.Helper()
	l := &lifeline{path: filepath.Join(s.Dir, "line"), held: make(chan struct{})}
	require.NoError(t, syscall.Mkfifo(l.path, 0o600))
	go func() {
		defer close(l.held)
		l.file, l.err = os.Open(l.path) // until somebody writes
	}()
	return l
}

// taken waits until somebody holds the line.
func (l *lifeline) taken(t *testing.T) {
	t.Helper()
	select {
	case <-l.held:
	case <-time.After(modeltest.Patience):
		require.FailNow(t, "nobody ever held the line")
	}
	require.NoError(t, l.err)
}

// gone waits until nobody holds the line any more.
func (l *lifeline) gone(t *testing.T) {
	t.Helper()
	l.taken(t)
	defer l.file.Close()
	require.NoError(t, l.file.SetReadDeadline(time.Now().Add(modeltest.Patience)))
	_, err := l.file.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

// behind is a call of shell that does not wait.
func behind(description, command string) modeltest.Call {
	return modeltest.Use("shell", modeltest.Object{"command": command, "description": description, "run_in_background": true})
}

// holding is a command that has a process in a session of its own hold the line.
const holding = "setsid sleep 1000 >line & echo listening; wait"

func TestAShellInTheBackgroundWakesTheIdleParentOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("<kind>shell</kind>"):
			return modeltest.Say("It broke.")
		case h.Answered("shell"):
			return modeltest.Say("It builds.")
		}
		return modeltest.Do(behind("the build", "echo building; cat line; exit 3"))
	})
	path := filepath.Join(s.Dir, "line")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("build it")
	x.See("It builds.", "the build", "building", "1 command")
	x.Rest()
	x.Type(harness.KeyEsc)
	x.See("1 run goes on in the background")
	require.Len(t, s.Server.All(modeltest.FromParent), 2)
	require.NoError(t, os.WriteFile(path, []byte("a missing file\n"), 0o600))
	h := s.Server.Await(t, modeltest.ParentAsked("<kind>shell</kind>"))
	require.True(t, harness.ContainsAll(h.Notices()[0], "<status>failed</status>", "<exit-code>3</exit-code>", "cat line; exit 3</command>",
		"<result>building\na missing file</result>", "<remaining>0</remaining>"), h.Notices()[0])
	x.See("It broke.")
	require.Len(t, s.Server.All(modeltest.FromParent), 3)
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "the build")
}

func TestAShellsCardStopsItWithAllThatItStarted(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("<kind>shell</kind>"):
			return modeltest.Say("You stopped it.")
		case h.Answered("shell_output"):
			return modeltest.Say("It listens.")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": shellOf(h)}))
		}
		return modeltest.Do(behind("the server", holding))
	})
	line := newLifeline(t, s)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("serve it")
	x.See("It listens.", "listening")
	line.taken(t)
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.See("$ setsid sleep 1000", "a command takes no messages")
	x.Type(harness.KeyLeft)
	x.Type(harness.KeyDown)
	x.See("enter open")
	before := time.Now()
	x.StopCard()
	line.gone(t)
	require.Less(t, time.Since(before), 10*time.Second, "the 2 s of a stop, on a loaded machine")
	h := s.Server.Await(t, modeltest.ParentAsked("<kind>shell</kind>"))
	require.Contains(t, h.Notices()[0], "<status>canceled_by_user</status>")
	x.See("You stopped it.")
	x.Type(harness.KeyEsc)
	x.SeeNot("enter open")
	require.Equal(t, 0, x.Quit())
}

// Without a screen, what the parent's shell was for is over when nothing else is
// left; a subagent's is, with its run. Neither is a failure, nor owed a word.
func TestAShellEndsWithWhatItWasStartedFor(t *testing.T) {
	t.Parallel()
	listening := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("try it") && h.Answered("shell"):
			return modeltest.Say("It was tried.")
		case h.Child("try it"):
			return modeltest.Do(behind("the child's server", "sleep 1000"))
		case h.Answered("agent"):
			return modeltest.Say("It listens, and was tried.")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Delegate("a try", "try it")).Saying("It starts.").Until(listening)
		}
		return modeltest.Do(behind("the server", holding))
	})
	line := newLifeline(t, s)
	go func() { <-line.held; close(listening) }()
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "serve it")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It listens, and was tried.", r.Output)
	line.gone(t)
	require.Len(t, r.Shells, 2)
	for _, shell := range r.Shells {
		require.Equal(t, []string{"canceled_by_agent", "run_end"}, []string{shell.Status, shell.Cause})
	}
	require.Len(t, s.Server.All(modeltest.FromParent), 3, "nobody is told")
	var doc struct{ Sessions []any }
	require.NoError(t, json.Unmarshal([]byte(exportOf(t, s, r.Session)), &doc))
	require.Len(t, doc.Sessions, 2, "a shell has no transcript")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code, "with the sessions of its subagents' shells: "+errs)
}

func TestACrashEndsShellsAndTheModelIsToldOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("what now?"):
			return modeltest.Say("It was cut off.")
		case h.Answered("shell"):
			return modeltest.Say("It listens.")
		}
		return modeltest.Do(behind("the server", holding))
	})
	line := newLifeline(t, s)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("serve it")
	x.See("It listens.", "the server")
	line.taken(t)
	x.Crash()
	line.gone(t)
	x = s.Open(t, "--continue")
	x.See("Commands that stopped with it:", "the server")
	x.Prompt("what now?")
	h := s.Server.Await(t, modeltest.ParentAsked("what now?"))
	require.Len(t, h.Notices(), 1)
	require.True(t, harness.ContainsAll(h.Notices()[0], "<kind>shell</kind>", "<status>interrupted</status>"), h.Notices()[0])
	x.See("It was cut off.")
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "the server")
}

// shellOf is the shell_id that the newest shell call gave.
func shellOf(h modeltest.Request) string {
	var told struct {
		Shell string `json:"shell_id"`
	}
	for _, text := range h.ResultsOf("shell") {
		if json.Unmarshal([]byte(text), &told) != nil {
			return text
		}
	}
	return told.Shell
}
