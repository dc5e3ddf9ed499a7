package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
	m.out = options.streams().Output()
	defer func() { _ = m.out.Close() }()
	defer m.seat.Leave()
	program := terminal.NewProgram(m, options.streams(), m.out, m.term, &m.follows)
	defer func() {
		if m.givesBack(ending, err) {
			program.Release()
		}
	}()

	var watching sync.WaitGroup
	var unopened error // of Options.Open
	watching.Go(func() { unopened = options.watch(ctx, program) })
	watching.Go(func() { m.hear(ctx, program.Send) })
	if options.Health != nil {
		watching.Go(func() { options.Health(ctx, func(words string) { program.Send(healthWarning(words)) }) })
	}
	err = program.Run(ctx)
	ended := ctx.Err() != nil
	cancel()
	watching.Wait()
	if save := m.saveDraft(); save != nil { // what the clock would have kept a moment later
		crashed.Safely(save)()
	}
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return Ending{}, nil
	case unopened != nil:
		return Ending{}, unopened
	}
	return m.verdict(err)
}

// crashed is what people are told of a bug of the screen.
const crashed terminal.CrashWords = "a bug in Pawl ended the screen (%v); the session is saved: pawl --continue opens it"

// streams are what the screen is shown on.
func (o Options) streams() terminal.Streams {
	return terminal.Streams{In: o.In, Out: o.Out, Env: o.Env, Width: o.Width, Height: o.Height, Sizes: o.Sizes, Untidy: o.Untidy}
}

// verdict is how a screen has ended that nothing else has.
func (m *model) verdict(err error) (Ending, error) {
	gone := errors.Is(err, ErrTerminalGone)
	switch {
	case gone && m.ending == (Ending{}), err != nil && !gone:
		return Ending{}, fmt.Errorf("show the screen: %w", err)
	case m.crash.Happened():
		return Ending{}, m.crash
	}
	return m.ending, nil
}

// watch opens the session, and follows it until ctx ends. An error is why it could not be opened.
func (o Options) watch(ctx context.Context, program *terminal.Program) error {
	opened, err := Opened{Snapshot: o.Snapshot}, error(nil)
	if open := o.Open; open != nil {
		if opened, err = open(ctx); err != nil {
			if ctx.Err() != nil { // its user has left already
				return nil
			}
			program.Quit()
			return err
		}
		program.Send(opened)
	}
	err = o.follow(ctx, opened.Snapshot, program.Send)
	if err != nil && ctx.Err() == nil {
		program.Send(terminal.WatchEnded{Err: err})
	}
	return nil
}

// ErrTerminalGone is why a screen has ended whose terminal was closed, or whose line was dropped.
var ErrTerminalGone = terminal.ErrGone

// end ends the screen, and settles whether another one follows.
func (m *model) end(e Ending) tea.Cmd {
	m.ending = e
	m.follows.Store(e.Next != nil)
	return tea.Quit
}

// givesBack reports whether the terminal is to be given back although another screen was to follow:
// it does not come after all, as when a signal came meanwhile.
func (m *model) givesBack(e Ending, err error) bool {
	return m.follows.Load() && (err != nil || e.Next == nil) && m.follows.Swap(false)
}
