package host

import (
	"context"
	"fmt"
	"os"
	"slices"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/handover"
	"pawl/internal/hosted"
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
	hosted, err := hosted.Folder().Sessions()
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
		switch {
		case slices.Contains(hosted, string(s.ID)):
			list[i].Used = "open"
		case used:
			list[i].Used = base.InUse(pid)
		}
	}
	return list, nil
}

// prompts are those of this session.
func (h *screen) prompts(ctx context.Context) ([]ui.Prompt, error) {
	all, err := app.Prompts(ctx, h.Base, h.Root)
	prompts := make([]ui.Prompt, len(all))
	for i, p := range all {
		prompts[i] = ui.Prompt(p)
	}
	return prompts, err
}

// fork begins a session from here or from before a prompt.
func (h *screen) fork(ctx context.Context, before *ui.Prompt) (lifecycle.SessionID, error) {
	return app.Fork(ctx, h.Base, h.Root, (*app.Prompt)(before))
}

// forkedFrom is what a session was forked from, for the screen.
func forkedFrom(s store.SessionInfo) *ui.Forked {
	if s.ForkedFrom == nil {
		return nil
	}
	return &ui.Forked{Session: s.ForkedFrom.Session, Prompt: s.ForkedFrom.Prompt, At: s.Created}
}

func (h *screen) peekSession(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error) {
	return h.Store.Tail(ctx, session, session, 0, peekedRecords)
}

// openable returns what prevents a screen from opening a session, as far as that can be told
// without opening it.
func openable(ctx context.Context, b *base.Base, session lifecycle.SessionID) error {
	found, err := b.Store.Session(ctx, string(session))
	if err != nil {
		return err
	}
	if info, err := os.Stat(found.Folder); err != nil || !info.IsDir() {
		return fmt.Errorf("its folder %s is gone: pawl show %s reads the session", base.ShortPath(found.Folder), session)
	}
	pid, used, err := b.Store.Holder(session)
	if err == nil && used && !hostOf(ctx, session) {
		err = fmt.Errorf("another Pawl has it open (%s): read it with pawl show %s", base.InUse(pid), session)
	}
	return err
}

// goTo sends the user of this screen on to another session. This one goes on without the screen, as
// far as something goes on in it.
func (h *screen) goTo(ctx context.Context, o app.Options, to ui.Next) {
	if to.Fleet {
		args := []string{"fleet"}
		if h.saved(ctx) { // else it may be gone by then
			args = append(args, string(h.Root))
		}
		h.front.Go(handover.Next{Args: args, Folder: h.World.Folder, Back: h.back(ctx, o)})
		return
	}
	next, err := h.next(ctx, o, to)
	if err == nil && to.Draft != "" {
		err = h.Store.SetSessionFact(ctx, to.Session, factDraft, to.Draft)
	}
	if err != nil { // it was there a moment ago
		next = handover.Next{Session: string(h.Root), Hello: handover.Hello{Words: "not opened: " + err.Error(), Trouble: true}}
	}
	h.front.Go(next)
}

// next returns how to open another session. What was chosen in this one is taken along: its model,
// unless the next one has its own, and within the folder its mode and its trust.
func (h *screen) next(ctx context.Context, o app.Options, to ui.Next) (next handover.Next, err error) {
	model, same := h.Choices.Model(), true
	next.Folder = h.World.Folder
	if to.Session == "" {
		if h.saved(ctx) {
			next.Hello.Words = "the session before stays: /sessions, or pawl attach " + hosted.ShortID(h.Root)
		}
	} else {
		found, err := h.Store.Session(ctx, string(to.Session))
		if err != nil {
			return next, err
		}
		own, err := h.Store.SessionFact(ctx, found.ID, store.FactModel)
		if err != nil {
			return next, err
		}
		if own != "" {
			model = ""
		}
		if to.Forked {
			next.Hello.Words = "forked; the session before stays: /sessions, or pawl attach " + hosted.ShortID(h.Root)
		}
		same, next.Folder = found.Folder == h.World.Folder, found.Folder
		next.Session, next.Args = string(found.ID), []string{"--session", string(found.ID)}
	}
	if model != "" {
		next.Args = append(next.Args, "--model", model)
		if level := h.Choices.Effort(); level != "" {
			next.Args = append(next.Args, "--effort", level)
		}
	}
	if same { // permissions were given for this folder
		next.Args = append(next.Args, h.permissionFlags(o)...)
	}
	next.Back = h.back(ctx, o)
	return next, nil
}

// back is the command line that opens this session again; nil if it is not saved.
func (h *screen) back(ctx context.Context, o app.Options) []string {
	if !h.saved(ctx) {
		return nil
	}
	return append([]string{"--session", string(h.Root)}, h.permissionFlags(o)...)
}

// permissionFlags are the flags that give another session of the folder what this one may do.
func (h *screen) permissionFlags(o app.Options) []string {
	flags := []string{"--permission-mode", string(h.Choices.Mode())}
	if o.Trust {
		flags = append(flags, "--trust")
	}
	return flags
}

// saved reports whether the session is in the database: from its first message on.
func (h *screen) saved(ctx context.Context) bool {
	_, err := h.Store.Session(ctx, string(h.Root))
	return err == nil
}
