package host

import (
	"context"
	"encoding/json"
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
func hostOf(ctx context.Context, root lifecycle.SessionID) bool { return reachHost(ctx, root) == nil }

// reachHost returns why no host can be reached that drives this session: socket.ErrNoHost if there is
// none.
func reachHost(ctx context.Context, root lifecycle.SessionID) error {
	session, err := hosted.Dial(ctx, root)
	if err != nil {
		return err
	}
	session.Close()
	return nil
}

// errTool refuses a process that a tool of this host has started, or of another one, which would do
// it the favour: a command must never answer its own question.
var errTool = errors.New("a command of a session cannot reach this one: that is for a person, or a program that no session has started")

// refuseTools returns why a process may not connect. What the tools of this host start are
// descendants of its guard, in every containment: the guard adopts their orphans.
func refuseTools(pid int) error {
	top := os.Getpid()
	if guard.Own() == guard.RoleGuarded {
		top = os.Getppid()
	}
	from, err := socket.DescendsFrom(pid, top)
	if err == nil && !from {
		from, err = socket.FromTool(pid)
	}
	if err == nil && from {
		err = errTool
	}
	return err
}

// listen takes connections to the session until the host leaves it.
func (h *host) listen() error {
	listener, err := hosted.Folder().Listen(string(h.session.Root), refuseTools)
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
	defer stop() // else the connection is kept until the host ends
	line, files, err := conn.ReadLine()
	if errors.Is(err, socket.ErrLongLine) {
		reply, _ := json.Marshal(map[string]any{"type": "reply", "line": 1, "ok": false, "error": err.Error()}) // plain values
		_, _ = client{conn}.Write(append(reply, '\n'))                                                          // it may be gone
	}
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
