package ui

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// stream is a route whose session says what the test says.
type stream struct {
	route
	said chan lifecycle.Updates
	seq  lifecycle.Seq
}

func (r *stream) Watch(ctx context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, fn func(lifecycle.Updates)) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case u := <-r.said:
			fn(u)
		}
	}
}

func (r *stream) log(events ...lifecycle.Event) {
	var u lifecycle.Updates
	for _, event := range events {
		r.seq++
		u.Records = append(u.Records, lifecycle.Record{Seq: r.seq, Time: epoch, Root: root, Session: root, Run: "r1", Event: event})
	}
	r.said <- u
}

func (r *stream) begin() {
	r.log(lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "go", From: lifecycle.FromUser}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

// fill says a screenful that shares no line with the one before.
func (r *stream) fill(nth int) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("%d.%d %s", nth, i, strings.Repeat(string(rune('a'+(nth+i)%26)), 150)))
	}
	r.log(lifecycle.Text{Text: strings.Join(lines, "\n\n")})
}

func streams() *stream { return &stream{said: make(chan lifecycle.Updates)} }

// mostBehind bounds what a terminal is still to get that has taken nothing for a while: what the
// kernel holds, some 70 KiB, and a few frames of some 10 KiB.
const mostBehind = 160 << 10

func TestAScreenWhoseTerminalTakesNothingGoesOnAndIsRightWhenItTakesAgain(t *testing.T) {
	hung, free := streams(), streams()
	one, two := sit(t, Options{Route: hung}, 160, 50), sit(t, Options{Route: free}, 160, 50)
	both := func(say func(*stream)) { say(hung); say(free) }
	one.see("Ask Pawl")
	two.see("Ask Pawl")
	both((*stream).begin)
	one.see("› go")
	one.stall()
	one.mu.Lock()
	read := one.read
	one.mu.Unlock()
	for i := range 100 { // some 1 MiB of frames
		both(func(r *stream) { r.fill(i) })
	}
	both(func(r *stream) {
		r.log(lifecycle.Text{Text: "This is the end."}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	})
	two.see("This is the end.")
	one.press("typed meanwhile")
	two.press("typed meanwhile")
	want := two.see("typed meanwhile")
	one.resume()
	one.until("the same screen", func(text string) bool { return text == want })
	one.mu.Lock()
	defer one.mu.Unlock()
	two.mu.Lock()
	defer two.mu.Unlock()
	require.Less(t, one.read-read, mostBehind)
	require.Equal(t, two.modes, one.modes)
	require.True(t, one.screen.IsAltScreen())
}

func TestAScreenWhoseTerminalTakesNothingCanBeLeft(t *testing.T) {
	for name, leave := range map[string]func(*station){
		"by a key":   func(s *station) { s.press("\x1c") },
		"by its end": func(s *station) { s.leave() },
	} {
		t.Run(name, func(t *testing.T) {
			r := streams()
			s := sit(t, Options{Route: r}, 160, 50)
			s.see("Ask Pawl")
			r.begin()
			s.see("› go")
			s.stall()
			for i := range 50 {
				r.fill(i)
			}
			before := time.Now()
			leave(s)
			require.NoError(t, s.ending().err)
			require.Less(t, time.Since(before), longest/2, "it never takes anything")
		})
	}
}

func TestAScreenThatIsLeftPutsItsTerminalRight(t *testing.T) {
	s := sit(t, Options{Route: &route{}}, 80, 24)
	s.see("Ask Pawl")
	s.press("\x1c")
	require.Equal(t, ended{ending: Ending{Detach: true}}, s.ending())
	s.until("the modes of a shell", func(string) bool {
		left := maps.Clone(s.modes)
		delete(left, ansi.ModeTextCursorEnable)
		delete(left, ansi.ModeAutoWrap)
		return len(left) == 0 && !s.screen.IsAltScreen()
	})
}

func TestAScreenWhoseTerminalIsGoneEndsAndSaysSo(t *testing.T) {
	for name, before := range map[string]func(*station, *stream){
		"at rest": func(*station, *stream) {},
		"while it takes nothing": func(s *station, r *stream) {
			s.stall()
			for i := range 50 {
				r.fill(i)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var draft string
			r := streams()
			s := sit(t, Options{Route: r, SaveDraft: func(_ lifecycle.SessionID, text string, _ []lifecycle.MessageID) error { draft = text; return nil }}, 160, 50)
			s.see("Ask Pawl")
			r.begin()
			s.see("› go")
			s.press("half a thought")
			s.see("half a thought")
			before(s, r)
			closed := time.Now()
			require.NoError(t, s.hand.Close())
			e := s.ending()
			require.ErrorIs(t, e.err, ErrTerminalGone)
			require.Less(t, time.Since(closed), longest/2)
			require.Equal(t, Ending{}, e.ending)
			require.Equal(t, "half a thought", draft)
		})
	}
}

func TestATerminalThatIsGoneBeforeTheFirstFrameIsAnErrorToo(t *testing.T) {
	s := sit(t, Options{Route: &route{}, Open: func(ctx context.Context) (Opened, error) {
		<-ctx.Done()
		return Opened{}, context.Cause(ctx)
	}}, 80, 24)
	require.NoError(t, s.hand.Close())
	require.ErrorIs(t, s.ending().err, ErrTerminalGone)
}

// Who has suspended a screen has a shell on the terminal, with settings of its own.
func TestASessionThatEndsWhileItsScreenIsSuspendedLeavesTheShellAlone(t *testing.T) {
	away := make(chan struct{})
	s := sit(t, Options{Route: &route{}, Suspend: func(ctx context.Context) error {
		close(away)
		<-ctx.Done()
		return nil
	}}, 80, 24, func(s *station) { s.silent = true }) // a late answer would be echoed
	s.see("Ask Pawl")
	s.press("\x1a")
	<-away
	_, err := s.tty.WriteString("shell$")
	require.NoError(t, err)
	s.see("shell$")
	s.mu.Lock()
	read := s.read
	s.mu.Unlock()
	s.leave()
	require.Equal(t, ended{}, s.ending())
	_, err = s.tty.WriteString("ls")
	require.NoError(t, err)
	s.see("shell$ls")
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, read+2, s.read)
}
