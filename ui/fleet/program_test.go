package fleet

import (
	"context"
	"errors"
	"fmt"
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
)

// program is the real one on a terminal of a test.
type program struct {
	t        *testing.T
	keyboard *io.PipeWriter
	mu       sync.Mutex
	emulator *vt.Emulator
	written  int
	acts     []string
	err      error // of what is asked of a session
	show     func(Picture)
	ended    chan Ending
	failed   error // with the ending
}

// Write is what the program writes to its terminal.
func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written += len(b)
	return p.emulator.Write(b)
}

func (p *program) act(format string, of ...any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts = append(p.acts, fmt.Sprintf(format, of...))
	return p.err
}

// options are those of a program whose functions note what they were asked.
func (p *program) options(in io.Reader, width, height int) Options {
	return Options{
		In: in, Out: p, Env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, Width: width, Height: height,
		Follow: func(ctx context.Context, show func(Picture)) error {
			p.show = show
			show(twelve(time.Now()))
			<-ctx.Done()
			return ctx.Err()
		},
		Peek: func(_ context.Context, id lifecycle.SessionID) ([]lifecycle.Record, error) {
			return conversation(id), p.act("peek %s", last(id))
		},
		Answer: func(_ context.Context, id lifecycle.SessionID, q lifecycle.QuestionID, yes bool) error {
			return p.act("answer %s %s %t", last(id), q, yes)
		},
		Stop: func(_ context.Context, id lifecycle.SessionID) error { return p.act("stop %s", last(id)) },
		Send: func(_ context.Context, id lifecycle.SessionID, text string) error {
			return p.act("send %s %s", last(id), text)
		},
		Suspend: func(context.Context) error { return p.act("suspend") },
		Place: func(_ context.Context, typed string) (string, error) {
			if !strings.HasPrefix(typed, "/") {
				return "", errors.New("no folder " + typed)
			}
			return typed, nil
		},
		Folders: func(_ context.Context, typed string) []string {
			return []string{typed + "/lang", typed + "/ledger"}
		},
	}
}

func last(id lifecycle.SessionID) string { return string(id[len(id)-2:]) }

// play runs the real program in the time of a test.
func play(t *testing.T, width, height int, test func(*testing.T, *program), change ...func(*Options)) {
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		p := &program{t: t, keyboard: keyboard, emulator: vt.NewEmulator(width, height), ended: make(chan Ending, 1)}
		go func() { _, _ = io.Copy(io.Discard, p.emulator) }() // what a terminal answers
		_, _ = p.emulator.WriteString("\x1b[20h")              // no system puts a return before a line feed here
		options := p.options(in, width, height)
		for _, f := range change {
			f(&options)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			ending, err := Run(ctx, options)
			p.failed = err
			p.ended <- ending
			close(p.ended)
		}()
		synctest.Wait()
		defer func() {
			cancel()
			_ = keyboard.Close()
			for range p.ended { // until it has ended
			}
			_ = p.emulator.Close()
		}()
		test(t, p)
	})
}

// sequences are what a terminal sends for keys that are no letters.
var sequences = map[string]string{
	"enter": "\r", "esc": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
	"tab": "\t", "space": " ", "backspace": "\x7f", "ctrl+c": "\x03", "ctrl+d": "\x04", "ctrl+z": "\x1a", "ctrl+l": "\x0c",
}

// press presses keys by name, each by itself: nothing is typed soon behind it.
func (p *program) press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.typed(name)
		<-time.After(heldFor + time.Millisecond)
		synctest.Wait()
	}
}

// typed types without a pause.
func (p *program) typed(text string) {
	p.t.Helper()
	if sequence, is := sequences[text]; is {
		text = sequence
	}
	_, err := io.WriteString(p.keyboard, text)
	require.NoError(p.t, err)
	synctest.Wait()
}

func (p *program) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (p *program) text() string {
	p.pass(100 * time.Millisecond) // some frames
	p.mu.Lock()
	defer p.mu.Unlock()
	return picturetest.Of(p.emulator).Text()
}

// selected is the line with the mark.
func (p *program) selected() string {
	for line := range strings.Lines(p.text()) {
		if rest, is := strings.CutPrefix(line, "› "); is {
			return rest
		}
	}
	return ""
}

// taken are what was asked of sessions since, but what was looked at.
func (p *program) taken() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var acts []string
	for _, act := range p.acts {
		if !strings.HasPrefix(act, "peek") {
			acts = append(acts, act)
		}
	}
	p.acts = nil
	return acts
}
