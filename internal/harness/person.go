//go:build unix

package harness

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Type presses keys, one write each: text, or one of the Key constants.
func (x *Terminal) Type(keys ...string) {
	x.T.Helper()
	for _, key := range keys {
		_, err := x.master.WriteString(key)
		require.NoError(x.T, err)
	}
}

// TryType types into a terminal whose program may have ended already.
func (x *Terminal) TryType(keys string) { _, _ = x.master.WriteString(keys) }

// TypeIntoTheStart types and waits until something was written since: by the terminal
// itself as long as the line is its own, by Pawl from then on.
func (x *Terminal) TypeIntoTheStart(letters string) {
	x.T.Helper()
	x.mu.Lock()
	changed := x.changed
	x.mu.Unlock()
	x.Type(letters)
	select {
	case <-changed:
	case <-time.After(modeltest.Patience):
		x.T.Fatalf("nothing was written after %q", letters)
	}
}

// Open starts the screen on a stage and waits for its first picture.
func (s *Stage) Open(t testing.TB, args ...string) *Terminal {
	t.Helper()
	x := Start(t, s.Dir, s.Env, s.Flags(args...)...)
	x.Ready()
	return x
}

// Ready waits for the first picture.
func (x *Terminal) Ready() {
	x.T.Helper()
	x.WaitFor("a picture", func(screen string) bool { return x.Opened() && strings.TrimSpace(screen) != "" })
}

// Prompt types a line and sends it.
func (x *Terminal) Prompt(text string) {
	x.T.Helper()
	x.Type(text)
	x.See(text)
	x.Type(KeyEnter)
}

// Rest waits until the parent has nothing to do: before that, Ctrl+C and Esc on
// the composer mean its run.
func (x *Terminal) Rest() {
	x.T.Helper()
	x.SeeNot("esc stops")
}

// Quit leaves an idle session and gives the exit code. What is typed is cleared first. Whether the parent
// is to be told first of what has ended, it does not wait for.
func (x *Terminal) Quit() int {
	x.T.Helper()
	x.Rest()
	const again = "again quits"
	cleared := "cleared · ctrl+y"
	if strings.Contains(x.Screen(), cleared) { // another key has cleared the line
		cleared = again
	}
	x.Type(KeyCtrlC)
	x.WaitFor("its answer", func(screen string) bool {
		return strings.Contains(screen, again) || strings.Contains(screen, cleared)
	})
	if !strings.Contains(x.Screen(), again) {
		x.Type(KeyCtrlC)
	}
	x.See(again)
	x.Type(KeyCtrlC)
	for tries := 1; tries <= 3 && x.staysAfter(again); tries++ {
		x.Type(KeyCtrlC)
	}
	return x.Wait()
}

// Asked waits for the question about that command, and until keys count as an answer:
// for a moment they may have been meant for the line that it covers.
func (x *Terminal) Asked() {
	x.T.Helper()
	x.See("wants to use shell", "echo ran > made.txt")
	x.SeeNot("pause to answer")
}

// Answer gives the question in front an answer, once it takes one.
func (x *Terminal) Answer(key string) {
	x.T.Helper()
	x.SeeNot("pause to answer")
	x.Type(key)
}

// AnswerWide gives an answer that is wider than the call.
func (x *Terminal) AnswerWide(key string) {
	x.T.Helper()
	x.Answer(key)
	x.See(key + " again allows every")
	x.Type(key)
}

// StopCard stops the run of the line with the focus, which takes two presses.
func (x *Terminal) StopCard() {
	x.T.Helper()
	x.See("x x stop")
	x.Type("x")
	x.See("x again stops it")
	x.Type("x")
}
