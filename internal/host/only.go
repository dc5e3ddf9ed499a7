package host

import (
	"context"
	"errors"

	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/system"
	"pawl/ui"
)

// showOnly shows a screen that drives nothing, on the terminal of the front that has started this
// process, until its user or a signal ends it. It returns the exit code.
func showOnly(ctx context.Context, w base.World, session string, run func(context.Context, lentTerminal) error) (int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop()
	done := make(chan struct{})
	defer close(done)
	go watchFront(w.Front, cancel, done)
	go func() {
		select {
		case code := <-signals:
			cancel(errGone{code - handover.ExitCode(0)})
		case <-done:
		}
	}()
	err := withTerminal(ctx, w.Front, session, run)
	var gone errGone
	switch {
	case errors.As(context.Cause(ctx), &gone):
		return handover.ExitCode(gone.signal), nil
	case errors.Is(err, ui.ErrTerminalGone):
		return exitHangUp, nil
	case err != nil:
		return system.ExitError, err
	}
	return system.ExitDone, nil
}
