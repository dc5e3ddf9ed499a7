package ui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// inOrder says that these stand on the screen, one after another.
func inOrder(t *testing.T, screen string, texts ...string) {
	t.Helper()
	at := 0
	for _, text := range texts {
		next := strings.Index(screen[at:], text)
		require.GreaterOrEqual(t, next, 0, "%q in its place on\n%s", text, screen)
		at += next + len(text)
	}
}

func TestALineThatBeginsWithTheMarkIsRun(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("!ls  -la ")
	require.Contains(t, s.text(), "! ls  -la")
	require.Contains(t, s.text(), "enter runs it")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.RunShell{Session: root, Command: "ls  -la"}}, s.route.taken())
	require.Empty(t, s.line().Text)
	s.keys("up")
	require.Equal(t, "!ls  -la", s.line().Text, "the history keeps the mark")
	s.keys("home", "backspace")
	require.Equal(t, "ls  -la", s.line().Text, "before the first letter stands the sign")
	s.keys("end", "ctrl+u")
	s.typed(" !ls")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "!ls"}}, s.route.taken())
}

func TestWhatIsNoCommandOfTheUsersIsNotRun(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: "!echo a\x1b[2Jb"})
	s.keys("enter")
	require.Contains(t, s.text(), "it holds characters that are not shown here")
	s.keys("ctrl+u")
	long := "!" + strings.Repeat("line\n", 20) + "end"
	s.send(tea.PasteMsg{Content: long})
	require.False(t, s.line().Shell(), "its beginning is not seen")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: long}}, s.route.taken())
}

func TestEscAndCtrlCStopTheCommandOfTheUsersFirst(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		t.Run(key, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.ask("go")
			s.ownShell("top")
			require.Contains(t, s.text(), "esc stops your command")
			s.typed("words")
			s.keys(key)
			require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: "top", Cause: lifecycle.CauseKey}}, s.route.taken())
			require.Equal(t, "words", s.line().Text)
			s.end("top", "own top", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey, Result: "load 1"})
			require.Contains(t, s.text(), "stopped by you")
			s.keys(key)
			require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey}}, s.route.taken())
		})
	}
}

// A log that is read for one session lacks the records of commands that were run in it: their runs say
// where they stand.
func TestCommandsOfTheUsersStandWhereTheyWereRunInASessionThatIsOpenedAgain(t *testing.T) {
	before := newScreen(t, 80, 40)
	before.ownShell("first")
	before.end("first", "own first", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "one"})
	before.pass(time.Second)
	before.ask("hello")
	before.log(root, "r1", lifecycle.Text{Text: "Hello."})
	before.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Hello."})
	before.pass(time.Second)
	before.ownShell("second")
	before.end("second", "own second", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Found: true})
	order := []string{"! first", "one", "hello", "Hello.", "! second", "cut off when Pawl ended"}
	inOrder(t, before.text(), order...)

	own := before.talk(root).Records
	own = slices.DeleteFunc(slices.Clone(own), func(rec lifecycle.Record) bool { return rec.Session != root })
	for _, tail := range []int{0, 1, len(own)} {
		var snapshot lifecycle.Snapshot
		after := newScreen(t, 80, 40, func(o *Options, _ *terminal.Features) {
			snapshot = lifecycle.Snapshot{Root: root, Seq: before.seq}
			for run := range before.runs.Runs() {
				snapshot.Runs = append(snapshot.Runs, run)
			}
			o.Snapshot, o.Tail = snapshot, own[len(own)-tail:]
			o.Older = func(_ context.Context, _ lifecycle.SessionID, seq lifecycle.Seq, _ int) ([]lifecycle.Record, error) {
				var older []lifecycle.Record
				for _, rec := range own {
					if rec.Seq < seq || seq == 0 {
						older = append(older, rec)
					}
				}
				return older, nil
			}
		})
		inOrder(t, after.text(), order...)
	}
}
