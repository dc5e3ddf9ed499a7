package host

import (
	"context"
	"fmt"
	"maps"
	"time"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/store"
	view "pawl/ui/fleet"
)

// Fleet is the screen over all sessions of the user, on the terminal of the front that has started
// this process. It drives none of them. The session that is selected first may be empty.
func Fleet(ctx context.Context, w base.World, selected string) (int, error) {
	if err := hasScreen(w, "pawl ps"); err != nil {
		return system.ExitUsage, err
	}
	b, err := base.Open(ctx, w, store.Options{})
	if err != nil {
		return system.ExitError, err
	}
	defer b.Close()
	if found, err := b.Store.Session(ctx, selected); err == nil && selected != "" {
		selected = string(found.ID)
	}
	sessions := &sessionList{Base: b}
	workers := workerList{Base: b}
	options := view.Options{
		Follow: func(ctx context.Context, show func(view.Picture)) error {
			return workers.beside(ctx, sessions.follow, show)
		},
		Peek: func(ctx context.Context, id lifecycle.SessionID) ([]lifecycle.Record, error) {
			return b.Store.Tail(ctx, id, id, 0, peekedRecords)
		},
		Answer: sessions.answer, Stop: sessions.stop, Send: sessions.send,
		Folder: w.Folder, Select: lifecycle.SessionID(selected),
		Place:   func(_ context.Context, typed string) (string, error) { return place(w.Folder, typed) },
		Folders: func(_ context.Context, typed string) []string { return foldersLike(w.Folder, typed) },
		Theme:   b.Settings.Screen.Theme, ReducedMotion: b.Settings.Screen.Motion == "reduced",
	}
	drafts, err := openKept[string](ctx, b.Store, fleetDrafts)
	if err != nil {
		return system.ExitError, err
	}
	options.Drafts = drafts.now()
	var ending view.Ending
	code, err := showOnly(ctx, w, "", func(ctx context.Context, t lentTerminal) (err error) {
		options.In, options.Out, options.Env, options.Suspend, options.Sizes = t.in, t.out, t.environ, t.suspend, t.sizes
		ending, err = view.Run(ctx, options)
		return err
	})
	if err != nil {
		return code, err
	}
	sessions.keepDrafts(ctx, drafts, ending)
	switch {
	case ending.Attach != "":
		w.Front.Go(handover.Next{Session: string(ending.Attach), Folder: sessions.folderOf(ctx, ending.Attach), Back: []string{"fleet"}})
	case ending.Begin != "":
		w.Front.Go(handover.Next{Args: []string{}, Folder: ending.Begin, Back: []string{"fleet"}})
	}
	return code, nil
}

// sessionList is all sessions of a user: those of the database, and what their hosts say of those
// that are open.
type sessionList struct {
	*base.Base
	stored []store.Overview
	hosted map[lifecycle.SessionID]bool // in the last picture
}

// drawing is how long the first picture may take before the hosts are asked: a frame.
const drawing = time.Second / 60

// follow gives the screen all sessions: at once those of the database, soon what their hosts say, and
// then each change. The database is read again when a session is left: before that its host says how
// it stands.
func (l *sessionList) follow(ctx context.Context, show func(view.Picture)) error {
	stored, err := l.picture(ctx, nil, nil)
	if err != nil {
		return err
	}
	stored.Partial = true
	show(stored)
	select { // many hosts that answer at once would keep the picture from being drawn
	case <-time.After(drawing):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var failed error
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err = fleet.Follow(ctx, hosted.Folder(), func(statuses []fleet.Status, troubles []fleet.Trouble) {
		picture, err := l.picture(ctx, statuses, troubles)
		if err != nil {
			failed = err
			cancel()
			return
		}
		show(picture)
	})
	if failed != nil {
		return failed
	}
	return err
}

func (l *sessionList) picture(ctx context.Context, statuses []fleet.Status, troubles []fleet.Trouble) (view.Picture, error) {
	if err := l.read(ctx, statuses); err != nil {
		return view.Picture{}, err
	}
	p := view.Picture{DayLimit: l.Settings.Limits.DayMaxCost}
	if day, err := l.Store.DayCost(ctx, time.Now()); err == nil {
		p.DayCost = day.Cost
	}
	for _, t := range troubles {
		p.Trouble = append(p.Trouble, fmt.Sprintf("%s: %s", hosted.ShortID(lifecycle.SessionID(t.Session)), t.Error))
	}
	open := map[lifecycle.SessionID]fleet.Status{}
	for _, s := range statuses {
		open[s.Session] = s
	}
	for _, o := range l.stored {
		row := storedRow(o)
		if s, is := open[o.ID]; is {
			row = hostedRow(s, row)
			delete(open, o.ID)
		}
		p.Sessions = append(p.Sessions, row)
	}
	for _, s := range statuses { // nothing was said yet in those that are left
		if _, is := open[s.Session]; is {
			p.Sessions = append(p.Sessions, hostedRow(s, view.Session{ID: s.Session, Since: s.Started}))
		}
	}
	return p, nil
}

// read reads the sessions from the database, again if a host has left one.
func (l *sessionList) read(ctx context.Context, statuses []fleet.Status) (err error) {
	now := map[lifecycle.SessionID]bool{}
	for _, s := range statuses {
		now[s.Session] = true
	}
	stale := l.hosted == nil
	for session := range l.hosted {
		stale = stale || !now[session]
	}
	if stale {
		l.stored, err = l.Store.Overviews(ctx, "", listedSessions)
	}
	l.hosted = now
	return err
}

func storedRow(o store.Overview) view.Session {
	row := view.Session{
		ID: o.ID, Title: o.Title, Folder: base.ShortPath(o.Folder), Workspace: o.Folder, Need: view.Recent,
		State: o.State, Since: o.Updated, CostUSD: o.Cost,
	}
	if o.State != "" {
		row.Activity = o.State.Words(lifecycle.ForCard)
	}
	if o.Unread > 0 || o.Unseen {
		row.Need = view.Unread
	}
	return row
}

// hostedRow is how an open session stands, over what the database knows of it.
func hostedRow(s fleet.Status, row view.Session) view.Session {
	row.Hosted, row.Screens, row.Activity = true, s.Screens, s.Activity
	row.Title, row.Folder, row.Workspace = s.Title, base.ShortPath(s.Folder), s.Folder
	row.Subagents, row.Running, row.Queued, row.Slots = s.Subagents, s.Slots.Running, s.Slots.Queued, s.Slots.Limit
	row.Denied, row.CostUSD, row.Tokens, row.Questions = s.Denied, s.CostUSD, s.Tokens, len(s.Questions)
	if !s.Since.IsZero() {
		row.Since = s.Since
	}
	switch s.State {
	case fleet.NeedsYou:
		row.Need, row.State = view.NeedsYou, lifecycle.StateRunning
		row.Question = s.Questions[0].Whole()
	case fleet.Works:
		row.Need, row.State = view.Works, lifecycle.StateRunning
	case fleet.Idle:
	}
	return row
}

// ask sends one order to the host of a session.
func ask(ctx context.Context, session lifecycle.SessionID, order map[string]any) error {
	reached, err := hosted.Dial(ctx, session)
	if err != nil {
		return err
	}
	defer reached.Close()
	_, err = reached.Ask(ctx, order)
	return err
}

func (l *sessionList) answer(ctx context.Context, session lifecycle.SessionID, question lifecycle.QuestionID, yes bool) error {
	answer := "no"
	if yes {
		answer = string(lifecycle.GrantOnce)
	}
	return ask(ctx, session, map[string]any{"type": "answer", "question": question, "answer": answer})
}

func (l *sessionList) stop(ctx context.Context, session lifecycle.SessionID) error {
	return ask(ctx, session, map[string]any{"type": "stop", "session": "all"})
}

func (l *sessionList) send(ctx context.Context, session lifecycle.SessionID, text string) error {
	return ask(ctx, session, map[string]any{"type": "message", "text": text})
}

// folderOf is where a session that no host drives is opened again; empty: where the front stands.
func (l *sessionList) folderOf(ctx context.Context, session lifecycle.SessionID) string {
	found, err := l.Store.Session(ctx, string(session))
	if err != nil {
		return "" // nothing was said in it: its host has it
	}
	return found.Folder
}

// keepDrafts keeps what was typed to sessions. What was typed to the one that is attached next becomes
// what is typed in its folder, unless something stands there.
func (l *sessionList) keepDrafts(ctx context.Context, drafts *kept[string], ending view.Ending) {
	left := ending.Drafts
	if text, folder := left[ending.Attach], l.folderOf(ctx, ending.Attach); text != "" && folder != "" {
		fact := draftFact(folder)
		if there, err := l.Store.Fact(ctx, fact); err == nil && there == "" {
			if err = l.Store.SetFact(ctx, fact, text); err == nil {
				delete(left, ending.Attach)
			}
		}
	}
	drafts.change(ctx, func(all map[lifecycle.SessionID]string) {
		clear(all)
		maps.Copy(all, left)
	})
}
