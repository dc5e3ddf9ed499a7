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

)

// lifeline is a pipe with a name: what holds its other end open lives.
type lifeline struct {
	path string
	held chan struct{} // closed when somebody does
	file *os.File      // from then on
	err  error
}

// lifeline makes the pipe in the folder of the stage.
func (s *stage) lifeline(t *testing.T) *lifeline {
	t.Helper()
	l := &lifeline{path: filepath.Join(s.dir, "line"), held: make(chan struct{})}
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
	case <-time.After(patience):
		require.FailNow(t, "nobody ever held the line")
	}
	require.NoError(t, l.err)
}

// gone waits until nobody holds the line any more.
func (l *lifeline) gone(t *testing.T) {
	t.Helper()
	l.taken(t)
	defer l.file.Close()
	require.NoError(t, l.file.SetReadDeadline(time.Now().Add(patience)))
	_, err := l.file.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

// behind is a call of shell that does not wait.
func behind(description, command string) call {
	return use("shell", object{"command": command, "description": description, "run_in_background": true})
}

// holding is a command that has a process in a session of its own hold the line.
const holding = "setsid sleep 1000 >line & echo listening; wait"

func TestAShellInTheBackgroundWakesTheIdleParentOnce(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.asked("<kind>shell</kind>"):
			return say("It broke.")
		case h.answered("shell"):
			return say("It builds.")
		}
		return do(behind("the build", "echo building; cat line; exit 3"))
	})
	path := filepath.Join(s.dir, "line")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("build it")
	x.see("It builds.", "the build", "building", "1 shell")
	x.rest()
	x.type_(keyEsc)
	x.see("1 run goes on in the background")
	require.Len(t, s.server.all(fromParent), 2)
	require.NoError(t, os.WriteFile(path, []byte("a missing file\n"), 0o600))
	h := s.server.await(t, parentAsked("<kind>shell</kind>"))
	require.True(t, containsAll(h.notices()[0], "<status>failed</status>", "<exit-code>3</exit-code>", "cat line; exit 3</command>",
		"<result>building\na missing file</result>", "<remaining>0</remaining>"), h.notices()[0])
	x.see("It broke.")
	require.Len(t, s.server.all(fromParent), 3)
	require.Equal(t, 0, x.quit())
	requireEachNoticeOnce(t, s.server, "the build")
}

func TestAShellsCardStopsItWithAllThatItStarted(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.asked("<kind>shell</kind>"):
			return say("You stopped it.")
		case h.answered("shell_output"):
			return say("It listens.")
		case h.answered("shell"):
			return do(use("shell_output", object{"shell_id": shellOf(h)}))
		}
		return do(behind("the server", holding))
	})
	line := s.lifeline(t)
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("serve it")
	x.see("It listens.", "listening")
	line.taken(t)
	x.rest()
	x.type_(keyDown)
	x.see("enter open")
	x.type_(keyEnter)
	x.see("$ setsid sleep 1000", "a command takes no messages")
	x.type_(keyLeft)
	x.type_(keyDown)
	x.see("enter open")
	before := time.Now()
	x.stopCard()
	line.gone(t)
	require.Less(t, time.Since(before), 10*time.Second, "the 2 s of a stop, on a loaded machine")
	h := s.server.await(t, parentAsked("<kind>shell</kind>"))
	require.Contains(t, h.notices()[0], "<status>canceled_by_user</status>")
	x.see("You stopped it.")
	x.type_(keyEsc)
	x.seeNot("enter open")
	require.Equal(t, 0, x.quit())
}

// Without a screen, what the parent's shell was for is over when nothing else is
// left; a subagent's is, with its run. Neither is a failure, nor owed a word.
func TestAShellEndsWithWhatItWasStartedFor(t *testing.T) {
	t.Parallel()
	listening := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("try it") && h.answered("shell"):
			return say("It was tried.")
		case h.child("try it"):
			return do(behind("the child's server", "sleep 1000"))
		case h.answered("agent"):
			return say("It listens, and was tried.")
		case h.answered("shell"):
			return do(delegate("a try", "try it")).saying("It starts.").until(listening)
		}
		return do(behind("the server", holding))
	})
	line := s.lifeline(t)
	go func() { <-line.held; close(listening) }()
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "serve it")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It listens, and was tried.", r.Output)
	line.gone(t)
	require.Len(t, r.Shells, 2)
	for _, shell := range r.Shells {
		require.Equal(t, []string{"canceled_by_agent", "run_end"}, []string{shell.Status, shell.Cause})
	}
	require.Len(t, s.server.all(fromParent), 3, "nobody is told")
	var doc struct{ Sessions []any }
	require.NoError(t, json.Unmarshal([]byte(s.story(t, r.Session)), &doc))
	require.Len(t, doc.Sessions, 2, "a shell has no transcript")
	_, errs, code = run(t, s.dir, s.env, "rm", r.Session)
	require.Equal(t, 0, code, "with the sessions of its subagents' shells: "+errs)
}

func TestACrashEndsShellsAndTheModelIsToldOnce(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.asked("what now?"):
			return say("It was cut off.")
		case h.answered("shell"):
			return say("It listens.")
		}
		return do(behind("the server", holding))
	})
	line := s.lifeline(t)
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("serve it")
	x.see("It listens.", "the server")
	line.taken(t)
	x.crash()
	line.gone(t)
	x = s.open(t, "--continue")
	x.see("Commands that stopped with it:", "the server")
	x.prompt("what now?")
	h := s.server.await(t, parentAsked("what now?"))
	require.Len(t, h.notices(), 1)
	require.True(t, containsAll(h.notices()[0], "<kind>shell</kind>", "<status>interrupted</status>"), h.notices()[0])
	x.see("It was cut off.")
	require.Equal(t, 0, x.quit())
	requireEachNoticeOnce(t, s.server, "the server")
}

// shellOf is the shell_id that the newest shell call gave.
func shellOf(h heard) string {
	var told struct {
		Shell string `json:"shell_id"`
	}
	for _, text := range h.resultsOf("shell") {
		if json.Unmarshal([]byte(text), &told) != nil {
			return text
		}
	}
	return told.Shell
}
