package host

import (
	"context"
	"log/slog"

	"pawl/lifecycle"
	"pawl/ui"
)

// reopen opens this session again once its user has trusted the folder, so that all that is read
// at a session's start follows from that. If the files have changed since the question, it is
// asked again.
func (h *screen) reopen(ctx context.Context, ending ui.Ending) (*screen, error) {
	hello := ui.Hello{Words: "trusted until it changes; /permissions revokes it"}
	if err := ending.Next.Trust.Decide(context.WithoutCancel(ctx), true); err != nil {
		slog.Error("remember what is trusted", "error", err)
		hello = ui.Hello{Words: "your answer applies until you quit; it could not be saved: " + err.Error(), Trouble: true}
	}
	w, o := h.World, h.Options
	o.Continue, o.Session, o.Whole = false, "", false
	if _, unsaid := h.Store.Session(ctx, string(h.Root)); unsaid == nil {
		o.Session = string(h.Root)
	}
	h.Close(lifecycle.CauseQuit)
	if context.Cause(ctx) != nil {
		return nil, context.Cause(ctx)
	}
	return openScreen(ctx, w, o, hello)
}
