package host

import (
	"context"
	"fmt"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// owner is what drives a session instead of its host: one prompt without a screen, or an editor.
// Screens and programs that come to the session are guests there.
type owner struct {
	name  string
	ended chan lifecycle.Cause // its end, and the cause of runs that end with it
}

// ends gives the owner's end; of no owner nothing comes.
func (o *owner) ends() <-chan lifecycle.Cause {
	if o == nil {
		return nil
	}
	return o.ended
}

// serveBeside serves screens and programs that come to a session while something else drives it.
// Calling end, once, ends that and closes the session.
func serveBeside(ctx context.Context, name string, o app.Options, w base.World, session *app.Session) (end func(lifecycle.Cause)) {
	by := &owner{name, make(chan lifecycle.Cause)}
	h := newHost(context.WithoutCancel(ctx), o, w, session, by)
	served := make(chan struct{})
	go func() {
		defer close(served)
		h.run(nil)
	}()
	return func(cause lifecycle.Cause) {
		by.ended <- cause
		<-served
	}
}

// endOwned ends the session with its owner.
func (h *host) endOwned() {
	h.over = true
	note := fmt.Sprintf("%s, which had this session open, has ended", h.owner.name)
	if how := h.goodbye(); how != "" {
		note += ". " + how
	}
	for s, cancel := range h.screens {
		h.part(s.front, system.ExitDone, note)
		cancel(errEnding)
	}
}
