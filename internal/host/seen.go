package host

import (
	"context"

	"pawl/lifecycle"
	"pawl/ui"
)

// SeenFact names the fact that holds the read marks of a session.
func SeenFact(root lifecycle.SessionID) string { return "seen:" + string(root) }

// screenSeen gives the screen what a person has seen of the session's subagents, and stores it
// with the session: an end that nobody has seen is unread in the next process too.
func (h *screen) screenSeen(ctx context.Context, options *ui.Options) error {
	ctx = context.WithoutCancel(ctx)
	marks, err := h.kept.openSeen(ctx)
	if err != nil {
		return err
	}
	options.Seen = marks.now()
	options.SaveSeen = func(session lifecycle.SessionID, seen ui.Seen) {
		marks.change(ctx, func(all map[lifecycle.SessionID]ui.Seen) { all[session] = seen })
	}
	return nil
}
