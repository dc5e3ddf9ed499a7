package host

import (
	"context"
	"log/slog"
	"time"

	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/ui"
)

// reopen opens this session again once a user has trusted the folder, so that all that is read at a
// session's start follows from that. If the files have changed since the question, it is asked
// again. The other screens are shown again, too. What has begun since the question is not ended for
// it: then the answer is only kept.
func (h *host) reopen(d departure) {
	hello := ui.Hello{Words: "trusted until it changes; /permissions revokes it"}
	if err := d.ending.Next.Trust.Decide(context.WithoutCancel(h.ctx), true); err != nil {
		slog.Error("remember what is trusted", "error", err)
		hello = ui.Hello{Words: "your answer applies until you quit; it could not be saved: " + err.Error(), Trouble: true}
	}
	fronts := []*handover.Conn{d.screen.front}
	idle := h.state.leaveUnopened() // for programs; other screens may begin something until they are taken
	if idle {
		fronts = append(fronts, h.takeScreens()...)
		idle = !h.runs()
	}
	if !idle {
		h.state.stay()
		if !hello.Trouble {
			hello.Words = "trusted; it applies once this session is opened again: work goes on in it"
		}
		for _, front := range fronts {
			h.show(front, "", hello)
		}
		return
	}
	o := h.options
	o.Continue, o.Session, o.Whole = false, "", false
	if _, unsaid := h.session.Store.Session(h.ctx, string(h.session.Root)); unsaid == nil {
		o.Session = string(h.session.Root)
	}
	if h.listener != nil {
		_ = h.listener.Close()
	}
	h.closeSession(lifecycle.CauseProcessEnd) // what other machines work at goes on
	session, err := openScreen(context.WithoutCancel(h.ctx), h.world, o)
	if err != nil {
		for _, front := range fronts {
			front.Fail(system.ExitError, err.Error())
		}
		h.code, h.over, h.session = system.ExitError, true, nil
		return
	}
	h.session = session
	h.begin(context.WithoutCancel(h.ctx))
	for _, front := range fronts {
		h.show(front, "", hello)
	}
}

// takeScreens ends all screens and returns their fronts. One whose terminal takes nothing is given up.
func (h *host) takeScreens() (fronts []*handover.Conn) {
	for _, cancel := range h.screens {
		cancel(errReopen)
	}
	limit := time.After(screenLimit)
	for len(h.screens) > 0 {
		select {
		case d := <-h.departed:
			delete(h.screens, d.screen)
			fronts = append(fronts, d.screen.front)
		case <-limit:
			for s := range h.screens {
				s.front.Fail(system.ExitError, "this terminal takes nothing; the session goes on: pawl attach "+hosted.ShortID(h.session.Root))
			}
			clear(h.screens)
		}
	}
	return fronts
}
