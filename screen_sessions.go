package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// How much of the database a list of sessions reads: the newest so many, and of one
// of them the newest records.
const (
	listedSessions = 1000
	peekedRecords  = 60
)

// listSessions are those of this folder, or of all.
func (h *house) listSessions(ctx context.Context, everywhere bool) ([]ui.Session, error) {
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
		if s.ID == h.root {
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

func (h *house) peekSession(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error) {
	return h.Store.Tail(ctx, session, session, 0, peekedRecords)
}

// openable says what keeps the screen from going on with a session, as far as that
// can be told without opening it.
func (h *house) openable(ctx context.Context, session lifecycle.SessionID) error {
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

// keepChoice remembers a model that was chosen before anything was said.
func (h *house) keepChoice() {
	model := h.choices.chose()
	if model == "" {
		return
	}
	if err := h.Store.ChooseModel(context.Background(), h.root, model); err != nil {
		slog.Error("keep the model of the session", "error", err)
	}
}

// follow closes this session and opens the next one, on the same terminal. Where that
// cannot be opened it is this one again, and says why. Only an error leaves nothing
// open.
func (h *house) follow(ctx context.Context, c chatCommand, ending ui.Ending) (*house, error) {
	if ending.Next.Trust != nil {
		return h.reopen(ctx, ending)
	}
	w, cause := h.World, ending.Cause
	next, back, err := h.ways(ctx, c, *ending.Next)
	h.Close(cause)
	if err == nil {
		var opened *house
		if opened, err = openHouse(ctx, next.world, &next.command, attendance{attended: true, whole: true}); err == nil {
			opened.hello = next.hello
			return opened, nil
		}
	}
	if context.Cause(ctx) != nil {
		return nil, context.Cause(ctx)
	}
	opened, again := openHouse(ctx, w, &back.command, attendance{attended: true, whole: true})
	if again != nil {
		return nil, errors.Join(err, again)
	}
	opened.hello = ui.Hello{Words: "not opened: " + err.Error(), Trouble: true}
	return opened, nil
}

// way is how a session is opened from another one.
type way struct {
	world   base.World
	command chatCommand
	hello   ui.Hello
}

// ways are those to the next session and back to this one.
func (h *house) ways(ctx context.Context, c chatCommand, to ui.Next) (next, back way, err error) {
	c.Continue, c.Session = false, ""
	c.Model, c.Mode = h.choices.Model(), string(h.choices.Mode())
	next, back = way{world: h.World, command: c}, way{world: h.World, command: c}
	if _, unsaid := h.Store.Session(ctx, string(h.root)); unsaid == nil {
		back.command.Session = string(h.root)
		next.hello.Words = fmt.Sprintf("the session before stays: /sessions, or pawl --session %s", h.root)
	}
	if to.Session == "" {
		return next, back, nil
	}
	found, err := h.Store.Session(ctx, string(to.Session))
	if err != nil {
		return next, back, err
	}
	next.hello = ui.Hello{}
	next.command.Session = string(found.ID)
	own, err := h.Store.SessionFact(ctx, found.ID, store.FactModel)
	if own != "" {
		next.command.Model = ""
	}
	if found.Folder != h.World.Folder { // what was allowed was allowed here
		next.world.Folder, next.command.Trust, next.command.Mode = found.Folder, false, ""
	}
	return next, back, err
}
