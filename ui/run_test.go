package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// typist is a terminal's input: a pipe that ends with the test.
func typist(t *testing.T) (in io.Reader, press func(string)) {
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	return r, func(keys string) {
		_, err := io.WriteString(w, keys)
		require.NoError(t, err)
		synctest.Wait()
	}
}

// ended is what a Run came to.
type ended struct {
	ending Ending
	err    error
}

func start(t *testing.T, ctx context.Context, r Route, in io.Reader) chan ended {
	done := make(chan ended, 1)
	go func() {
		ending, err := Run(ctx, Options{
			Route: r, Snapshot: lifecycle.Snapshot{Root: root}, In: in, Out: &bytes.Buffer{},
			Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: 80, Height: 24,
		})
		done <- ended{ending, err}
	}()
	synctest.Wait()
	return done
}

func TestRunQuitsOnTwoInterruptsWithinTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		r := &route{}
		done := start(t, t.Context(), r, in)
		press("hello\r")
		<-time.After(time.Second) // in synctest's time
		require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "hello"}}, r.taken())
		press("\x03")
		<-time.After(armedFor + terminal.Beat)
		press("\x03")
		require.Empty(t, done, "the first press no longer counts")
		<-time.After(armedFor - time.Second)
		press("\x03")
		require.Equal(t, ended{ending: Ending{Cause: lifecycle.CauseQuit}}, <-done)
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := typist(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := start(t, ctx, &route{}, in)
		cancel()
		require.Equal(t, ended{}, <-done)
	})
}

// broken is a route whose log cannot be followed.
type broken struct{ route }

func (*broken) Watch(context.Context, lifecycle.SessionID, lifecycle.Seq, func(lifecycle.Updates)) error {
	return errors.New("the log ends early")
}

func TestRunGoesOnWithoutItsLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		done := start(t, t.Context(), &broken{}, in)
		press("\x03")
		press("\x03")
		require.NoError(t, (<-done).err)
	})
}

func TestPumpIsPacedAndGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Duration
		begin := time.Now()
		give := terminal.Pump(t.Context(), func(lifecycle.Updates) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(begin))
		})
		record := lifecycle.Updates{Records: []lifecycle.Record{{}}}
		for _, u := range []lifecycle.Updates{record, record, {}, {}, {}, record, {}} {
			give(u)
		}
		flowed := 2*terminal.Frame + 2*terminal.Trickle
		require.Equal(t, []time.Duration{0, terminal.Frame, 2 * terminal.Frame, 2*terminal.Frame + terminal.Trickle, flowed, flowed + terminal.Frame, flowed + 2*terminal.Frame}, at)
		for range terminal.Flood + 1 {
			give(record)
		}
		require.Equal(t, []time.Duration{terminal.Frame, terminal.Frame, terminal.Trickle}, apart(at[len(at)-4:]), "a flood is held back")
		<-time.After(time.Second)
		give(record)
		give(record)
		require.Equal(t, []time.Duration{terminal.Frame}, apart(at[len(at)-2:]), "and forgotten after a rest")
		give(lifecycle.Updates{})
		more := make(chan struct{}, 1)
		more <- struct{}{}
		give(lifecycle.Updates{More: more})
		require.Equal(t, terminal.Frame, time.Since(begin)-at[len(at)-2], "records are behind it")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		stopped := terminal.Pump(ctx, func(lifecycle.Updates) { t.Error("sent after the end") })
		stopped(lifecycle.Updates{})
	})
}

// apart is how far times lie apart.
func apart(at []time.Duration) (spans []time.Duration) {
	for i := 1; i < len(at); i++ {
		spans = append(spans, at[i]-at[i-1])
	}
	return spans
}

// sharedOutput is a terminal's output that may be looked at while it is written to.
type sharedOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sharedOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *sharedOutput) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestAKeyIsOnTheScreenBeforeTimePasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		out := &sharedOutput{}
		go func() {
			_, _ = Run(t.Context(), Options{
				Route: &route{}, Snapshot: lifecycle.Snapshot{Root: root}, In: in, Out: out,
				Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: 80, Height: 24,
			})
		}()
		synctest.Wait()
		require.Contains(t, out.String(), "Ask Pawl", "so is the first frame")
		<-time.After(time.Second)
		before := time.Now()
		press("Z")
		require.Equal(t, before, time.Now())
		require.Contains(t, out.String(), "Z")
	})
}

func TestNothingIsWrittenWhileNothingHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		out := &sharedOutput{}
		go func() {
			_, _ = Run(t.Context(), Options{
				Route: &route{}, Snapshot: lifecycle.Snapshot{Root: root}, In: in, Out: out,
				Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: 80, Height: 24,
			})
		}()
		press("hello")
		<-time.After(time.Minute)
		written := len(out.String())
		<-time.After(time.Hour)
		require.Len(t, out.String(), written)
	})
}

// emulated is what a terminal of this size shows after some output. Its answers go nowhere.
func emulated(width, height int, output string) string {
	screen := vt.NewEmulator(width, height)
	var answering sync.WaitGroup
	answering.Go(func() { _, _ = io.Copy(io.Discard, screen) })
	_, _ = screen.WriteString(output)
	_ = screen.InputPipe().(io.Closer).Close()
	answering.Wait()
	return picturetest.Of(screen).Text()
}

func TestTheSizesOfAnotherSessionsTerminalAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		out, sizes := &sharedOutput{}, make(chan Size)
		go func() {
			_, _ = Run(t.Context(), Options{
				Route: &route{}, Snapshot: lifecycle.Snapshot{Root: root}, In: in, Out: out, Sizes: sizes,
				Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: 80, Height: 24,
			})
		}()
		press("hello")
		sizes <- Size{Width: 100, Height: 30}
		sizes <- Size{Width: 60, Height: 12}
		<-time.After(time.Second)
		lines := strings.Split(strings.TrimRight(emulated(60, 12, out.String()), "\n"), "\n")
		require.Len(t, lines, 12)
		require.Contains(t, strings.Join(lines[9:], "\n"), "hello")
	})
}
