package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

// slowTerminal is a terminal that takes one piece a turn.
type slowTerminal struct {
	turns chan struct{}

	mu    sync.Mutex
	taken bytes.Buffer
	err   error
}

func (s *slowTerminal) Write(text []byte) (int, error) {
	<-s.turns
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	return s.taken.Write(text)
}

func (*slowTerminal) Read([]byte) (int, error) { return 0, io.EOF }
func (*slowTerminal) Close() error             { return nil }
func (*slowTerminal) Fd() uintptr              { return 7 }

func (s *slowTerminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken.String()
}

// onSlow plays with an output over a slow terminal, which takes all in the end.
func onSlow(t *testing.T, play func(s *slowTerminal, o *Output)) {
	synctest.Test(t, func(*testing.T) {
		s := &slowTerminal{turns: make(chan struct{})}
		o := NewOutput(s)
		play(s, o)
		close(s.turns)
		_ = o.Close()
	})
}

func write(t *testing.T, o *Output, text string) {
	t.Helper()
	n, err := o.Write([]byte(text))
	require.NoError(t, err)
	require.Equal(t, len(text), n)
}

func TestNobodyWaitsForATerminalThatTakesNothing(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		<-o.Idle()
		before := time.Now()
		write(t, o, "one ")
		synctest.Wait()
		write(t, o, "two ")
		write(t, o, "three ")
		require.Equal(t, before, time.Now())
		idle := o.Idle()
		s.turns <- struct{}{}
		synctest.Wait()
		select {
		case <-idle:
			t.Error("two and three wait still")
		default:
		}
		s.turns <- struct{}{}
		<-idle
		require.Equal(t, "one two three ", s.text())
	})
}

func TestATerminalThatTakesNothingForASecondIsStalled(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		write(t, o, "one")
		synctest.Wait()
		require.False(t, o.Stalled())
		<-time.After(stalled + time.Millisecond)
		require.True(t, o.Stalled())
		s.turns <- struct{}{}
		synctest.Wait()
		require.False(t, o.Stalled())
		<-o.Idle()
	})
}

func TestWhileItSettlesEachTextIsWrittenBeforeTheNextStep(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		o.Settle()
		go func() {
			<-time.After(settling / 2)
			s.turns <- struct{}{}
		}()
		before := time.Now()
		write(t, o, "one")
		require.Equal(t, settling/2, time.Since(before))
		require.Equal(t, "one", s.text())
		write(t, o, "two")
		require.Equal(t, settling, time.Since(before), "a second in all")
		write(t, o, "three")
		require.NoError(t, o.Close())
		require.Equal(t, settling, time.Since(before))
		s.turns <- struct{}{}
		synctest.Wait()
		require.Equal(t, "onetwo", s.text(), "what was given up comes no more")
		write(t, o, "four")
	})
}

func TestALongTextIsGivenUpBetweenTwoPieces(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		write(t, o, string(make([]byte, 10*piece)))
		s.turns <- struct{}{}
		require.NoError(t, o.Close())
		s.turns <- struct{}{}
		synctest.Wait()
		require.Len(t, s.text(), 2*piece)
	})
}

func TestWhoLentATerminalIsToldThatItMayNotHaveItsModesBack(t *testing.T) {
	for name, c := range map[string]struct {
		left   func(s *slowTerminal, o *Output)
		untidy bool
	}{
		"it took all":                 {func(s *slowTerminal, _ *Output) { s.turns <- struct{}{} }, false},
		"it took nothing in time":     {func(*slowTerminal, *Output) {}, true},
		"the screen ended by force":   {func(s *slowTerminal, o *Output) { s.turns <- struct{}{}; o.forced() }, true},
		"it is gone":                  {func(_ *slowTerminal, o *Output) { o.Lose() }, false},
		"it belongs to somebody else": {func(_ *slowTerminal, o *Output) { o.GiveUp() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			told := false
			onSlow(t, func(s *slowTerminal, o *Output) {
				o.tell = func() { told = true }
				write(t, o, "modes off")
				c.left(s, o)
				require.NoError(t, o.Close())
				require.NoError(t, o.Close(), "told once")
				require.Equal(t, c.untidy, told)
				told = false
			})
			require.False(t, told)
		})
	}
}

func TestATerminalThatIsGoneTakesNothingMoreAndSaysSo(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		s.err = errors.New("input/output error")
		write(t, o, "one")
		require.False(t, o.IsGone())
		s.turns <- struct{}{}
		<-o.Gone()
		write(t, o, "two")
		<-o.Idle()
		before := time.Now()
		o.Settle()
		write(t, o, "three")
		require.NoError(t, o.Close())
		require.Equal(t, before, time.Now())
	})
}

func TestATerminalThatWasGivenUpIsNotTouched(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		require.Equal(t, uintptr(7), o.Fd())
		ctx, cancel := context.WithCancel(context.Background())
		lent := o.LendUntil(ctx, func(context.Context) error {
			cancel()
			return nil
		}, func(error) tea.Msg { return nil })
		lent() // as Bubble Tea does
		o.GiveUp()
		require.Equal(t, ^uintptr(0), o.Fd())
		write(t, o, "one")
		before := time.Now()
		require.NoError(t, o.Close())
		require.Equal(t, before, time.Now())
		require.Empty(t, s.text())
	})
}

func TestWithoutATerminalNothingIsWaitedFor(t *testing.T) {
	var o *Output
	<-o.Idle()
	o.Settle()
	o.Lose()
	o.GiveUp()
	require.False(t, o.IsGone())
	require.False(t, o.Stalled())
	require.NoError(t, o.Close())
}

func TestAFrameWaitsUntilTheLastOneIsWritten(t *testing.T) {
	onSlow(t, func(s *slowTerminal, o *Output) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		p, drawn := NewPace(o), 0
		go p.Run(ctx, func(tea.Msg) { drawn++ })
		p.Filter(nil, tea.KeyPressMsg{})
		synctest.Wait()
		require.Equal(t, 1, drawn)
		write(t, o, "a frame")
		for range 100 {
			p.Filter(nil, tea.KeyPressMsg{})
			<-time.After(Frame)
		}
		require.Equal(t, 1, drawn)
		s.turns <- struct{}{}
		synctest.Wait()
		require.Equal(t, 2, drawn, "one for all that came meanwhile")
	})
}
