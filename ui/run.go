package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
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
	program := tea.NewProgram(m, append(options.handOver(&m.follows).streams().Options(m.term), filter)...)

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
	watching.Go(func() { terminal.Leave(ctx, program, left) })
	_, err = program.Run()
	if err == nil { // else it may read nothing any more
		_, _ = io.WriteString(terminal.Of(options.Out), terminal.SchemeReportsOff)
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

// streams are what the screen is shown on.
func (o Options) streams() terminal.Streams {
	return terminal.Streams{In: o.In, Out: o.Out, Env: o.Env, Width: o.Width, Height: o.Height}
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
