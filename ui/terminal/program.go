package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// Streams stand for the terminal of a program and its variables; nil for the real ones. Width and
// Height are for an Out that is no terminal. Sizes gives the size of one that belongs to another
// session; nil: the process hears of it. Untidy is called by whoever closes the Output if the terminal may
// not have its modes back, because it took nothing in time or the screen was killed; nil: nobody is told.
type Streams struct {
	In            io.Reader
	Out           io.Writer
	Env           []string
	Width, Height int
	Sizes         <-chan Size
	Untidy        func()
}

// Output begins to write to the terminal; nil where there is none. Close it after the program's end.
func (s Streams) Output() *Output {
	file, ok := s.Out.(term.File)
	if s.Out == nil {
		file, ok = os.Stdout, true
	}
	if !ok {
		return nil
	}
	out := NewOutput(file)
	out.tell = s.Untidy
	return out
}

// Program is a Bubble Tea program on a terminal: in its size, at its pace, and over when it is gone.
// It takes no signals: whoever owns the process does.
type Program struct {
	*tea.Program
	out     *Output
	shown   io.Writer // where it is shown; nil: nowhere
	streams Streams
	pace    *pace
	sizes   Sizes
	left    chan struct{} // closed when it has ended
}

// NewProgram makes a program of a model. Once follows is set, leaving keeps the alternate screen for
// the next one.
func NewProgram(model tea.Model, s Streams, out *Output, features Features, follows *atomic.Bool) *Program {
	p := &Program{out: out, shown: s.Out, streams: s, pace: NewPace(out), left: make(chan struct{})}
	if out != nil {
		p.shown = NewHandover(out, follows)
	}
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithEnvironment(s.Env), tea.WithOutput(p.shown), tea.WithFilter(p.filter),
	}
	if s.In != nil {
		list = append(list, tea.WithInput(KeyboardOf(s.In, s.Env, out)))
	}
	if s.Width > 0 && s.Height > 0 {
		list = append(list, tea.WithWindowSize(s.Width, s.Height))
	}
	if !features.Colour {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	p.Program = tea.NewProgram(model, list...)
	return p
}

func (p *Program) filter(model tea.Model, msg tea.Msg) tea.Msg {
	if _, is := msg.(tea.QuitMsg); is {
		p.out.Settle()
	}
	return p.pace.Filter(model, p.sizes.Filter(msg))
}

// Run runs the program until it quits, ctx ends or the terminal is gone. The error of a terminal
// that is gone is ErrGone.
func (p *Program) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	if p.pace.Take(p.Program) {
		background.Go(func() { p.pace.Run(ctx, p.Send) })
	}
	if p.streams.Sizes != nil {
		background.Go(func() { p.sizes.Follow(ctx, p.streams.Sizes, p.Send) })
	}
	background.Go(func() { p.endWith(ctx) })
	_, err := p.Program.Run()
	if err == nil {
		_, _ = io.WriteString(p.shown, SchemeReportsOff)
	} else { // it may read nothing any more: the terminal's answer would go to the shell
		p.out.forced()
	}
	p.out.Settle()
	close(p.left)
	cancel()
	background.Wait()
	if p.out.IsGone() || errors.Is(err, syscall.EIO) {
		return ErrGone
	}
	return err
}

// stuck is how long the screen may take to leave once it is told to.
const stuck = time.Second

// endWith ends the program with ctx, or with its terminal: in order, so that it reads its terminal
// to the end before it gives it back and, where it does not answer any more, by force.
func (p *Program) endWith(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-p.out.Gone():
	case <-p.left:
		return
	}
	go p.Quit() // it waits for the loop, which may be the one that hangs
	select {
	case <-p.left:
	case <-time.After(stuck):
		p.out.Settle()
		p.Kill()
	}
}

// Release leaves the alternate screen, if the screen that was to follow does not come.
func (p *Program) Release() {
	if p.shown != nil {
		Release(p.shown)
	}
}
