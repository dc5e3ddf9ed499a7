package host

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// How much a list of sessions reads: the newest sessions, and the newest records of one of them.
const (
	listedSessions = 1000
	peekedRecords  = 60
)

func (h *screen) listSessions(ctx context.Context, everywhere bool) ([]ui.Session, error) {
	folder := h.World.Folder
	if everywhere {
		folder = ""
	}
	found, err := h.Store.Overviews(ctx, folder, listedSessions)
	if err != nil {
		return nil, err
	}
	list := make([]ui.Session, len(found))
	for i, s := range found {
		list[i] = ui.Session{
			ID: s.ID, Title: s.Title, Folder: base.ShortPath(s.Folder), Updated: s.Updated,
			State: s.State, Subagents: s.Subagents, Cost: s.Cost, Unread: s.Unread,
		}
		if s.ID == h.Root {
			continue
		}
		pid, used, err := h.Store.Holder(s.ID)
		if err != nil {
			return nil, err
		}
		if used {
			list[i].Used = base.InUse(pid)
		}
	}
	return list, nil
}

func (h *screen) peekSession(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error) {
	return h.Store.Tail(ctx, session, session, 0, peekedRecords)
}

// openable returns what prevents the screen from opening a session, as far as that can be told
// without opening it.
func (h *screen) openable(ctx context.Context, session lifecycle.SessionID) error {
	found, err := h.Store.Session(ctx, string(session))
	if err != nil {
		return err
	}
	if info, err := os.Stat(found.Folder); err != nil || !info.IsDir() {
		return fmt.Errorf("its folder %s is gone: pawl show %s reads the session", base.ShortPath(found.Folder), session)
	}
	pid, used, err := h.Store.Holder(session)
	if err == nil && used {
		err = fmt.Errorf("another Pawl has it open (%s): read it with pawl show %s", base.InUse(pid), session)
	}
	return err
}

// follow closes this session and opens the next one on the same terminal. If that fails it opens
// this one again and says why. Only an error leaves none open.
func (h *screen) follow(ctx context.Context, o app.Options, ending ui.Ending) (*screen, error) {
	if ending.Next.Trust != nil {
		return h.reopen(ctx, ending)
	}
	w, cause := h.World, ending.Cause
	next, back, err := h.targets(ctx, o, *ending.Next)
	h.Close(cause)
	if err == nil {
		var opened *screen
		if opened, err = openScreen(ctx, next.world, next.options, next.hello); err == nil {
			return opened, nil
		}
	}
	if context.Cause(ctx) != nil {
		return nil, context.Cause(ctx)
	}
	opened, again := openScreen(ctx, w, back.options, ui.Hello{Words: "not opened: " + err.Error(), Trouble: true})
	if again != nil {
		return nil, errors.Join(err, again)
	}
	return opened, nil
}

// target is how to open a session from another one.
type target struct {
	world   base.World
	options app.Options
	hello   ui.Hello
}

// targets returns how to open the next session, and this one again.
func (h *screen) targets(ctx context.Context, o app.Options, to ui.Next) (next, back target, err error) {
	o.Continue, o.Session, o.Whole = false, "", true
	o.Model, o.Mode = h.Choices.Model(), string(h.Choices.Mode())
	next, back = target{world: h.World, options: o}, target{world: h.World, options: o}
	if _, unsaid := h.Store.Session(ctx, string(h.Root)); unsaid == nil {
		back.options.Session = string(h.Root)
		next.hello.Words = fmt.Sprintf("the session before stays: /sessions, or pawl --session %s", h.Root)
	}
	if to.Session == "" {
		return next, back, nil
	}
	found, err := h.Store.Session(ctx, string(to.Session))
	if err != nil {
		return next, back, err
	}
	next.hello = ui.Hello{}
	next.options.Session = string(found.ID)
	own, err := h.Store.SessionFact(ctx, found.ID, store.FactModel)
	if own != "" {
		next.options.Model = ""
	}
	if found.Folder != h.World.Folder { // permissions were given for this folder
		next.world.Folder, next.options.Trust, next.options.Mode = found.Folder, false, ""
	}
	return next, back, err
}
