package host

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/socket"
	"pawl/lifecycle"
)

// hostOf reports whether a host can be reached that drives this session.
func hostOf(ctx context.Context, root lifecycle.SessionID) bool {
	session, err := hosted.Dial(ctx, root)
	if err != nil {
		return false
	}
	session.Close()
	return true
}

// errOwnTool refuses a process that one of this host's tools has started: a command must never
// answer its own question.
var errOwnTool = errors.New("a command of this session cannot reach it: that is for a person, or a program outside of it")

// refuseOwn returns why a process may not connect. What the tools of this host start are descendants
// of its guard, in every containment: the guard adopts their orphans.
func refuseOwn(pid int) error {
	top := os.Getpid()
	if guard.Own() == guard.RoleGuarded {
		top = os.Getppid()
	}
	below, err := socket.DescendsFrom(pid, top)
	if err == nil && below {
		err = errOwnTool
	}
	return err
}

// listen takes connections to the session until the host leaves it.
func (h *host) listen() error {
	listener, err := hosted.Folder().Listen(string(h.session.Root), refuseOwn)
	if err != nil {
		return err
	}
	h.listener = listener
	ctx := h.ctx
	h.talks.Go(func() {
		for {
			conn, err := listener.Accept(ctx)
			if err != nil {
				if ctx.Err() == nil {
					slog.Error("take connections", "error", err)
				}
				return
			}
			h.talks.Go(func() { h.greet(ctx, conn) })
		}
	})
	return nil
}

// greet finds out by its first line who has connected: a front, or a program that speaks
// stream-json.
func (h *host) greet(ctx context.Context, conn *socket.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	line, files, err := conn.ReadLine()
	front, attaches := (*handover.Conn)(nil), false
	if err == nil {
		front, attaches, err = handover.Greeted(conn, line, files)
	}
	switch {
	case err != nil:
		_ = conn.Close()
	case !attaches:
		h.talk(ctx, conn, line)
		_ = conn.Close()
	default:
		stop()
		select {
		case h.arrivals <- front:
		case <-ctx.Done(): // it tries again
			front.Close()
		}
	}
}
