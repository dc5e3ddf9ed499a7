package host

import (
	"context"
	"log/slog"

	"pawl/store"
)

// keepUnseen notes whether somebody has seen how the session stands that is about to be closed: an
// end that came while no screen was there is unread until one is. What an owner has, its user sees.
func (h *host) keepUnseen() {
	ctx, root := context.Background(), h.session.Root
	before, err := h.session.Store.SessionFact(ctx, root, store.FactUnseen)
	now := h.state.unseen() && h.owner == nil
	if err == nil && (before != "") != now && (now || h.looked || h.owner != nil) {
		value := ""
		if now {
			value = "yes"
		}
		err = h.session.Store.SetSessionFact(ctx, root, store.FactUnseen, value)
	}
	if err != nil {
		slog.Error("keep whether the session's end was seen", "error", err)
	}
}

// unseen reports whether something ended by itself that no screen has shown since.
func (s *state) unseen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.endedUnseen
}
