package tools

import (
	"context"

	"pawl/agent"
	"pawl/lifecycle"
)

// WatchCommand begins to watch what a command line of a call changes in the folder. ended is called
// when nothing of the command is left, and gives that; nil: nothing. A nil ended: the line needs
// nobody who watches.
type WatchCommand func(ctx context.Context, call agent.Invocation, line string) (ended func(context.Context) *lifecycle.FilesChanged)

// begin is w for a command, with an ended that can be called.
func (w WatchCommand) begin(ctx context.Context, call agent.Invocation, line string) func(context.Context) *lifecycle.FilesChanged {
	if w != nil {
		if ended := w(ctx, call, line); ended != nil {
			return ended
		}
	}
	return func(context.Context) *lifecycle.FilesChanged { return nil }
}
