package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"pawl/ui/terminal"
)

// Prepare makes what the first frame needs and what takes long, 1.5 ms for the table of
// the letters' widths. Run would do it itself, while somebody waits for the frame.
func Prepare() { ansi.StringWidthWc("›") }

// Run shows the screen until the user leaves it or ctx ends, and says how the
// user wants it to end. It takes no signals: whoever owns the process does, and
// cancels ctx. When it returns, the terminal is as it was and no goroutine of
// the screen is left.
func Run(ctx context.Context, options Options) (ending Ending, err error) {
	if options.Env == nil {
		options.Env = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, options, terminal.ReadFeatures(options.Env), options.now())
	defer func() { m.handedOver(ending, err) }()
	defer m.seat.Leave()
	pace, sizes := terminal.NewPace(), &terminal.Sizes{}
	filter := tea.WithFilter(func(m tea.Model, msg tea.Msg) tea.Msg { return pace.Filter(m, sizes.Filter(msg)) })
	program := tea.NewProgram(m, append(programOptions(options.handOver(&m.follows), m.term), filter)...)

	var watching sync.WaitGroup
	watching.Go(func() { m.hear(ctx, program.Send) })
	if options.Sizes != nil {
		watching.Go(func() { sizes.Follow(ctx, options.Sizes, program.Send) })
	}
	var unopened error // of Options.Open
	if pace.Take(program) {
		watching.Go(func() { pace.Run(ctx, program.Send) })
	}
	watching.Go(func() {
		opened, err := Opened{Snapshot: options.Snapshot}, error(nil)
		if options.Open != nil {
			if opened, err = options.Open(ctx); err != nil {
				if ctx.Err() == nil { // else its user has left already
					unopened = err
					program.Quit()
				}
				return
			}
			program.Send(opened)
		}
		err = options.follow(ctx, opened.Snapshot, program.Send)
		if err != nil && ctx.Err() == nil {
			program.Send(terminal.WatchEnded{Err: err})
		}
	})
	if options.Health != nil {
		watching.Go(func() { options.Health(ctx, func(words string) { program.Send(healthWarning(words)) }) })
	}
	left := make(chan struct{})
	watching.Go(func() { leave(ctx, program, left) })
	_, err = program.Run()
	if err == nil { // else it may read nothing any more
		_, _ = io.WriteString(terminalOf(options), terminal.SchemeReportsOff)
	}
	ended := ctx.Err() != nil
	close(left)
	cancel()
	watching.Wait()
	if save := m.saveDraft(); save != nil { // what the clock would have kept a moment later
		save()
	}
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return Ending{}, nil
	case unopened != nil:
		return Ending{}, unopened
	case err != nil:
		return Ending{}, fmt.Errorf("show the screen: %w", err)
	case m.crash.what != nil:
		return Ending{}, m.crash
	}
	return m.ending, nil
}

// stuck is how long the screen may take to leave once it is told to.
const stuck = time.Second

// leave ends the program with ctx: in order, so that it reads its terminal to the
// end before it gives it back and, where it does not answer any more, by force.
func leave(ctx context.Context, program *tea.Program, left <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-left:
		return
	}
	go program.Quit() // it waits for the loop, which may be the one that hangs
	select {
	case <-left:
	case <-time.After(stuck):
		program.Kill()
	}
}

// terminalOf is where the screen is shown.
func terminalOf(options Options) io.Writer {
	if options.Out != nil {
		return options.Out
	}
	return os.Stdout
}

func programOptions(options Options, term terminal.Features) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithoutSignalHandler(), tea.WithEnvironment(options.Env),
	}
	if options.In != nil {
		list = append(list, tea.WithInput(terminal.KeyboardOf(options.In, options.Env)))
	}
	if options.Out != nil {
		list = append(list, tea.WithOutput(options.Out))
	}
	if options.Width > 0 && options.Height > 0 {
		list = append(list, tea.WithWindowSize(options.Width, options.Height))
	}
	if !term.Colour {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	return list
}

// handOver makes the terminal of the options one that can be handed over. What is no
// terminal has nothing to hand over.
func (o Options) handOver(follows *atomic.Bool) Options {
	if file, ok := o.Out.(term.File); ok {
		o.Out = terminal.NewHandover(file, follows)
	}
	return o
}

// end ends the screen, and settles whether another one follows.
func (m *model) end(e Ending) tea.Cmd {
	m.ending = e
	m.follows.Store(e.Next != nil)
	return tea.Quit
}

// handedOver follows the end of the screen. Where no other comes after all, as when a
// signal came meanwhile, the terminal is given back.
func (m *model) handedOver(e Ending, err error) {
	if m.follows.Load() && (err != nil || e.Next == nil) && m.options.Out != nil {
		terminal.Release(m.options.Out)
	}
}
