package cli

import (
	"context"
	"errors"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/hosted"
	"pawl/internal/socket"
	"pawl/lifecycle"
)

// acting is one act on a session: by its host or, where it has none, in this process.
type acting struct {
	looks  bool // it changes nothing, so it can be tried again
	hosted func(*hosted.Session) error
	opened func(*app.Session) error
}

// act carries an act out on a root session of a folder, wherever it is driven.
func act(ctx context.Context, w *base.World, root lifecycle.SessionID, folder string, a acting) error {
	for {
		session, err := hosted.Find(ctx, *w, string(root))
		if closed := (*hosted.NotOpenError)(nil); errors.As(err, &closed) {
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
	defer opened.Close(lifecycle.CauseQuit)
	return a.opened(opened)
}
