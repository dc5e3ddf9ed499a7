package host

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/stored"
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
	chosen, err := rootNamed(ctx, b, selected)
	if err != nil { // else one would look for it among all the others
		return system.ExitError, err
	}
	sessions := &sessionList{Base: b}
	options := sessions.options(ctx)
	options.Trouble, options.Select = troubleOf(w.Front.Hello()), chosen
	drafts, err := openKept[string](ctx, b.Store, fleetDrafts)
	if err != nil {
		return system.ExitError, err
	}
	options.Drafts = drafts.now()
	var ending view.Ending
	code, err := showOnly(ctx, w, "", func(ctx context.Context, t lentTerminal) (err error) {
		options.In, options.Out, options.Env, options.Suspend, options.Sizes, options.Untidy = t.in, t.out, t.environ, t.suspend, t.sizes, t.untidy
		ending, err = view.Run(ctx, options)
		return err
	})
	sessions.keepDrafts(ctx, options.Drafts, ending)
	switch {
	case err != nil: // there is nobody to be sent on
	case ending.Attach != "":
		w.Front.Go(handover.Next{Session: string(ending.Attach), Folder: sessions.folderOf(ctx, ending.Attach), Back: []string{"fleet"}})
	case ending.Begin != "":
		w.Front.Go(handover.Next{Args: []string{}, Folder: ending.Begin, Back: []string{"fleet"}})
	}
	return code, err
}

// rootNamed is the session that a name means; empty without one. One in which nothing was said yet has
// a host alone.
func rootNamed(ctx context.Context, b *base.Base, name string) (lifecycle.SessionID, error) {
	if name == "" {
		return "", nil
	}
	if open, err := hosted.Folder().Find(name); err == nil && len(open) == 1 {
		return lifecycle.SessionID(open[0]), nil
	}
	found, err := stored.Named(ctx, b, name)
	return found.Root, err
}

// troubleOf is what went wrong with where the user of a front was sent from here.
func troubleOf(hello handover.Hello) string {
	if !hello.Trouble {
		return ""
	}
	return hello.Words
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

// options are those of the screen, but for where it is shown and what it begins with.
func (l *sessionList) options(ctx context.Context) view.Options {
	workers, folder, looks := workerList{Base: l.Base}, l.World.Folder, l.Settings.Screen
	return view.Options{
		Follow: func(ctx context.Context, show func(view.Picture)) error {
			return workers.beside(ctx, l.follow, show)
		},
		Peek: func(ctx context.Context, id lifecycle.SessionID) ([]lifecycle.Record, error) {
			return l.Store.Tail(ctx, id, id, 0, peekedRecords)
		},
		Answer: l.answer, Stop: l.stop, Send: l.send, Openable: l.openable,
		Folder:  folder,
		Place:   func(_ context.Context, typed string) (string, error) { return place(folder, typed) },
		Folders: func(_ context.Context, typed string) []string { return foldersLike(folder, typed) },
		Theme:   themeOf(ctx, looks, l.Store), ReducedMotion: looks.Motion == "reduced",
	}
}

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
		if !now[session] {
			stale = true
			l.awaitLeft(ctx, session)
		}
	}
	if stale {
		l.stored, err = l.Store.Overviews(ctx, "", listedSessions)
	}
	l.hosted = now
	return err
}

// How long what a process that died at work left open may still count as at work: the kernel closes its
// socket first, and lets go of its lock a moment later.
const (
	dyingLimit = time.Second / 2
	dyingPause = 5 * time.Millisecond
)

// awaitLeft waits until no process drives a session whose host has gone, for a moment at most: another
// may have opened it at once.
func (l *sessionList) awaitLeft(ctx context.Context, session lifecycle.SessionID) {
	for limit := time.Now().Add(dyingLimit); time.Now().Before(limit) && ctx.Err() == nil; time.Sleep(dyingPause) {
		if _, held, err := l.Store.Holder(session); !held || err != nil {
			return
		}
	}
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

// openable returns what prevents a session from being opened here. Whatever became of its folder, one
// that is driven by a host can be looked at.
func (l *sessionList) openable(ctx context.Context, session lifecycle.SessionID) error {
	if hostOf(ctx, session) {
		return nil
	}
	return openable(ctx, l.Base, session)
}

// folderOf is where a session that no host drives is opened again; empty: where the front stands.
func (l *sessionList) folderOf(ctx context.Context, session lifecycle.SessionID) string {
	found, err := l.Store.Session(ctx, string(session))
	if err != nil {
		return "" // nothing was said in it: its host has it
	}
	return found.Folder
}

// keepDrafts keeps what was typed to sessions, given what was kept when the screen began. What was
// typed to the one that is attached next becomes what stands in its line, unless something does.
func (l *sessionList) keepDrafts(ctx context.Context, before map[lifecycle.SessionID]string, ending view.Ending) {
	left := ending.Drafts
	if text := left[ending.Attach]; text != "" {
		there, err := l.Store.SessionFact(ctx, ending.Attach, factDraft)
		if err == nil && there == "" && l.Store.SetSessionFact(ctx, ending.Attach, factDraft, text) == nil {
			delete(left, ending.Attach)
		}
	}
	drafts, err := openKept[string](ctx, l.Store, fleetDrafts) // another such screen may have kept some since
	if err != nil {
		slog.Error("keep what was typed to sessions", "error", err)
		return
	}
	drafts.change(ctx, func(all map[lifecycle.SessionID]string) {
		for session, text := range before {
			if left[session] == "" && all[session] == text {
				delete(all, session) // it was sent or taken away here
			}
		}
		for session, text := range left {
			if text != before[session] {
				all[session] = text
			}
		}
	})
}
