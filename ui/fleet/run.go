package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"pawl/ui/terminal"
)

// Run shows the sessions until the user leaves or ctx ends, and says how the user wants to go on.
// It takes no signals: whoever owns the process does, and cancels ctx. When it returns, the terminal
// is as it was and no goroutine of the screen is left.
func Run(ctx context.Context, options Options) (Ending, error) {
	if options.Env == nil {
		options.Env = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, options, terminal.ReadFeatures(options.Env), time.Now)
	pace, sizes := terminal.NewPace(), &terminal.Sizes{}
	filter := tea.WithFilter(func(m tea.Model, msg tea.Msg) tea.Msg { return pace.Filter(m, sizes.Filter(msg)) })
	if file, ok := options.Out.(term.File); ok {
		options.Out = terminal.NewHandover(file, &m.follows)
	}
	streams := terminal.Streams{In: options.In, Out: options.Out, Env: options.Env, Width: options.Width, Height: options.Height}
	program := tea.NewProgram(m, append(streams.Options(m.term), filter)...)

	var background sync.WaitGroup
	if options.Sizes != nil {
		background.Go(func() { sizes.Follow(ctx, options.Sizes, program.Send) })
	}
	if pace.Take(program) {
		background.Go(func() { pace.Run(ctx, program.Send) })
	}
	box := newMailbox()
	background.Go(func() { box.pass(ctx, func(p Picture) { program.Send(p) }) })
	background.Go(func() {
		if err := options.Follow(ctx, box.put); err != nil && ctx.Err() == nil {
			program.Send(terminal.WatchEnded{Err: err})
		}
	})
	left := make(chan struct{})
	background.Go(func() { terminal.Leave(ctx, program, left) })
	_, err := program.Run()
	if err == nil { // else it may read nothing any more
		_, _ = io.WriteString(terminal.Of(options.Out), terminal.SchemeReportsOff)
	}
	ended := ctx.Err() != nil
	close(left)
	cancel()
	background.Wait()
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return Ending{Drafts: m.drafts()}, nil
	case err != nil:
		return Ending{}, fmt.Errorf("show the sessions: %w", err)
	case m.crash.what != nil:
		return Ending{}, m.crash
	}
	m.ending.Drafts = m.drafts()
	return m.ending, nil
}
