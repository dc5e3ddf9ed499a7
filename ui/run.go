package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pawl/lifecycle"
)

// Run shows the screen until the user leaves it or ctx ends, and says how the
// user wants it to end. It takes no signals: whoever owns the process does, and
// cancels ctx. When it returns, the terminal is as it was and no goroutine of
// the screen is left.
func Run(ctx context.Context, options Options) (Ending, error) {
	if options.Env == nil {
		options.Env = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, options, readTerminal(options.Env), time.Now)
	program := tea.NewProgram(m, programOptions(ctx, options, m.term)...)

	var watching sync.WaitGroup
	watching.Go(func() {
		err := options.Route.Watch(ctx, options.Snapshot.Root, options.Snapshot.Seq,
			pump(ctx, func(u lifecycle.Updates) { program.Send(u) }))
		if err != nil && ctx.Err() == nil {
			program.Send(watchEnded{err})
		}
	})
	_, err := program.Run()
	ended := ctx.Err() != nil
	cancel()
	watching.Wait()
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return Ending{}, nil
	case err != nil:
		return Ending{}, fmt.Errorf("show the screen: %w", err)
	case m.crash.what != nil:
		return Ending{}, m.crash
	}
	return m.ending, nil
}

func programOptions(ctx context.Context, options Options, term terminal) []tea.ProgramOption {
	list := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithEnvironment(options.Env),
	}
	if options.In != nil {
		list = append(list, tea.WithInput(options.In))
	}
	if options.Out != nil {
		list = append(list, tea.WithOutput(options.Out))
	}
	if options.Width > 0 && options.Height > 0 {
		list = append(list, tea.WithWindowSize(options.Width, options.Height))
	}
	if !term.colour {
		list = append(list, tea.WithColorProfile(colorprofile.ASCII))
	}
	return list
}
