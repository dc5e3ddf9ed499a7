package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/ui/terminal"
)

// crashed is what people are told of a bug of the screen.
const crashed terminal.CrashWords = "a bug in Pawl ended the list of sessions (%v); they go on: pawl ps lists them"

// safely makes a command whose panic is a message.
func safely(cmd tea.Cmd) tea.Cmd { return crashed.Safely(cmd) }

// Run shows the sessions until the user leaves or ctx ends, and says how the user wants to go on.
// It takes no signals: whoever owns the process does, and cancels ctx. When it returns, the terminal
// is as it was and no goroutine of the screen is left. The drafts of the ending count beside an error,
// too.
func Run(ctx context.Context, options Options) (ending Ending, err error) {
	if options.Env == nil {
		options.Env = os.Environ()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, options, terminal.ReadFeatures(options.Env), time.Now)
	streams := terminal.Streams{
		In: options.In, Out: options.Out, Env: options.Env,
		Width: options.Width, Height: options.Height, Sizes: options.Sizes, Untidy: options.Untidy,
	}
	m.out = streams.Output()
	defer func() { _ = m.out.Close() }()
	program := terminal.NewProgram(m, streams, m.out, m.term, &m.follows)
	defer func() {
		if err != nil && m.follows.Swap(false) {
			program.Release()
		}
	}()

	var background sync.WaitGroup
	box := newMailbox()
	background.Go(func() { box.pass(ctx, func(p Picture) { program.Send(p) }) })
	background.Go(func() {
		if err := options.Follow(ctx, box.put); err != nil && ctx.Err() == nil {
			program.Send(terminal.WatchEnded{Err: err})
		}
	})
	err = program.Run(ctx)
	ended := ctx.Err() != nil
	m.underWay.settle(leaveWait)
	cancel()
	background.Wait()
	typed := Ending{Drafts: m.drafts()} // whatever has ended the screen
	switch {
	case ended && (err == nil || errors.Is(err, tea.ErrProgramKilled)):
		return typed, nil
	case err != nil:
		return typed, fmt.Errorf("show the sessions: %w", err)
	case m.crash.Happened():
		return typed, m.crash
	}
	m.ending.Drafts = typed.Drafts
	return m.ending, nil
}
