package ui

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/picturetest"
)

// station is a real pseudo-terminal with somebody at it, and a screen that runs on it.
type station struct {
	t         *testing.T
	hand, tty *os.File
	silent    bool // it answers no questions
	done      chan ended
	leave     context.CancelFunc

	mu      sync.Mutex
	screen  *vt.Emulator
	read    int // bytes
	modes   map[ansi.Mode]bool
	changed chan struct{} // closed at the next output
	stalled chan struct{} // nil: the terminal reads; else it does not until this is closed
}

// longest is how long a test waits for what must come.
const longest = 45 * time.Second

// sit runs a screen on a terminal of its own until the test ends.
func sit(t *testing.T, options Options, width, height int, before ...func(*station)) *station {
	t.Helper()
	s := &station{t: t, done: make(chan ended, 1), screen: vt.NewEmulator(width, height), changed: make(chan struct{})}
	var err error
	s.hand, s.tty, err = pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(s.tty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
	s.modes = map[ansi.Mode]bool{}
	s.screen.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { s.modes[mode] = true },
		DisableMode: func(mode ansi.Mode) { delete(s.modes, mode) },
	})
	for _, prepare := range before {
		prepare(s)
	}
	var showing, answering sync.WaitGroup
	showing.Go(s.show)
	answering.Go(s.answer)
	options.In, options.Out = s.tty, s.tty
	options.Env = append([]string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, options.Env...)
	if options.Snapshot.Root == "" {
		options.Snapshot.Root = root
	}
	var ctx context.Context
	ctx, s.leave = context.WithCancel(context.Background())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		ending, err := Run(ctx, options)
		s.done <- ended{ending, err}
	}()
	t.Cleanup(func() {
		s.leave()
		<-finished
		_ = s.tty.Close()
		_ = s.hand.Close()
		s.resume()
		showing.Wait()
		_ = s.screen.InputPipe().(io.Closer).Close()
		answering.Wait()
	})
	return s
}

// show is the terminal: it reads, and shows what it reads.
func (s *station) show() {
	buffer := make([]byte, 4096)
	for {
		s.mu.Lock()
		stalled := s.stalled
		s.mu.Unlock()
		if stalled != nil {
			<-stalled
		}
		n, err := s.hand.Read(buffer)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.read += n
		_, _ = s.screen.Write(buffer[:n])
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
	}
}

// answer gives the terminal's answers to the screen, if that is there still.
func (s *station) answer() {
	buffer := make([]byte, 256)
	for {
		n, err := s.screen.Read(buffer)
		if err != nil {
			return
		}
		if !s.silent {
			_, _ = s.hand.Write(buffer[:n])
		}
	}
}

// stall makes the terminal read nothing more; resume lets it go on.
func (s *station) stall() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stalled = make(chan struct{})
}

func (s *station) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stalled != nil {
		close(s.stalled)
		s.stalled = nil
	}
}

// until waits until what the terminal shows is as wanted, which may look at the screen too.
func (s *station) until(what string, wanted func(text string) bool) string {
	s.t.Helper()
	late := time.After(longest)
	for {
		s.mu.Lock()
		text, changed := picturetest.Of(s.screen).Text(), s.changed
		done := wanted(text)
		s.mu.Unlock()
		if done {
			return text
		}
		select {
		case <-changed:
		case <-late:
			require.FailNow(s.t, what, text)
		}
	}
}

func (s *station) see(words string) string {
	s.t.Helper()
	return s.until("not seen: "+words, func(text string) bool { return strings.Contains(text, words) })
}

func (s *station) seeNo(words string) string {
	s.t.Helper()
	return s.until("still seen: "+words, func(text string) bool { return !strings.Contains(text, words) })
}

// type presses keys.
func (s *station) press(keys string) {
	s.t.Helper()
	_, err := s.hand.WriteString(keys)
	require.NoError(s.t, err)
}

// ending waits for the end of the screen.
func (s *station) ending() ended {
	s.t.Helper()
	select {
	case e := <-s.done:
		return e
	case <-time.After(longest):
		require.FailNow(s.t, "the screen does not end")
		return ended{}
	}
}

func TestASuspendedScreenIsDrawnAnewAndAsksForItsLooksAgain(t *testing.T) {
	away, back := make(chan struct{}), make(chan struct{})
	r := &route{}
	s := sit(t, Options{Route: r, Suspend: func(context.Context) error {
		close(away)
		<-back
		return nil
	}}, 80, 24)
	s.see("Ask Pawl")
	s.press("mine")
	s.see("mine")
	s.press("\x1a")
	<-away
	s.until("the shell's screen", func(string) bool { return !s.screen.IsAltScreen() })
	s.mu.Lock()
	var asked []string
	s.screen.RegisterOscHandler(11, func(data []byte) bool {
		asked = append(asked, string(data))
		return false
	})
	s.mu.Unlock()
	close(back)
	s.see("mine")
	s.until("asked for its background", func(string) bool { return len(asked) > 0 && s.screen.IsAltScreen() })
	s.press("!")
	s.see("mine!")
}

func TestAScreenIsSuspendedFromQuestionsDialogsAndTheHelpToo(t *testing.T) {
	for place, lead := range map[string]func(*stream, *station){
		"a question": func(r *stream, s *station) {
			r.log(lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "ls -l"}})
			s.see("ls -l")
		},
		"a dialog": func(_ *stream, s *station) { s.press("\x18"); s.see("Stop 1 run?") },
		"the help": func(_ *stream, s *station) { s.press("?"); s.see("Writing") },
	} {
		t.Run(place, func(t *testing.T) {
			r, away := streams(), make(chan struct{})
			s := sit(t, Options{Route: r, Suspend: func(context.Context) error {
				close(away)
				return nil
			}}, 80, 24)
			s.see("Ask Pawl")
			r.begin()
			s.see("› go")
			lead(r, s)
			s.press("\x1a")
			select {
			case <-away:
			case <-time.After(longest):
				require.FailNow(t, "not suspended")
			}
		})
	}
}
