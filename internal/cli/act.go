package cli

import (
	"context"
	"errors"
	"fmt"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/hosted"
	"pawl/internal/socket"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/store"
)

// acting is one act on a session: by its host or, where it has none, in this process.
type acting struct {
	looks  bool // it changes nothing, so it can be tried again
	hosted func(*hosted.Session) error
	opened func(*app.Session) error
}

// sessionNamed finds the root session that is named, by itself or by a subagent of it, and the subagent
// that is meant: that one, or the one that is named beside it; empty: none. The error is one of usage if
// they are none.
func sessionNamed(ctx context.Context, b *base.Base, name, agent string) (root store.SessionInfo, member lifecycle.SessionID, err error) {
	found, err := stored.Named(ctx, b, name)
	if err == nil && found.ID != found.Root {
		member = found.ID
	}
	if err == nil && agent != "" {
		var one store.SessionInfo
		if one, err = stored.Named(ctx, b, agent); err == nil && one.Root != found.Root {
			err = system.Usage(fmt.Sprintf("%s is of session %s, not of %s", one.ID, one.Root, found.Root))
		}
		member = one.ID
	}
	if err == nil {
		root, err = b.Store.Session(ctx, string(found.Root))
	}
	return root, member, err
}

// act carries an act out on a root session of a folder, wherever it is driven.
func act(ctx context.Context, w *base.World, root lifecycle.SessionID, folder string, a acting) error {
	for {
		session, err := hosted.Find(ctx, *w, string(root))
		if _, is := errors.AsType[*hosted.NotOpenError](err); is {
			break
		}
		if err != nil {
			return err
		}
		err = a.hosted(session)
		session.Close()
		if !a.looks || !errors.Is(err, socket.ErrNoHost) { // a host that was just leaving
			return err
		}
	}
	there := *w
	there.Folder = folder
	opened, err := app.Open(ctx, there, app.Options{Session: string(root), Idle: true, Whole: true})
	if err != nil {
		return err
	}
	defer opened.Close(lifecycle.CauseProcessEnd) // what other machines work at goes on
	return a.opened(opened)
}
