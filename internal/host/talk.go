package host

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"time"

	"pawl/export/jsondoc"
	"pawl/internal/models"
	"pawl/internal/socket"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// talk serves a program that has connected, from its first line on, which has been read.
func (h *host) talk(ctx context.Context, conn *socket.Conn, first []byte) {
	session, root := h.session, h.session.Root
	err := headless.Serve(ctx, headless.Client{
		Route: route{session.Supervisor, h.state}, Root: root,
		Snapshot: func() (lifecycle.Snapshot, error) { return session.Supervisor.Snapshot(root) },
		Opening: func(next lifecycle.Seq) any {
			return session.OpeningAt(next, time.Now().Truncate(time.Microsecond))
		},
		Line: jsondoc.NewLines(session.Models.Hide()).Line, Status: h.status, Land: h.land, Rewind: h.rewind,
		In: io.MultiReader(bytes.NewReader(append(first, '\n')), conn), Out: client{conn}, Gone: conn.AwaitGone,
		Leaving: h.leaving, Hide: session.Models.Hide(), Demo: session.Choices.Model() == models.Demo,
	})
	if err != nil && ctx.Err() == nil {
		slog.Error("serve a program that has connected", "process", conn.Peer(), "error", err)
	}
}

// route carries out what programs ask for. The host does not leave meanwhile.
type route struct {
	*lifecycle.Supervisor
	state *state
}

// Do carries out a command.
func (r route) Do(ctx context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	return r.state.do(func() (lifecycle.Reply, error) { return r.Supervisor.Do(ctx, command) })
}

// unreadLimit is how long a program may let its lines wait before it counts as gone. The session
// does not wait for it meanwhile.
const unreadLimit = 30 * time.Second

// client is a connection whose other end must read.
type client struct{ *socket.Conn }

// Write writes whole lines, or fails if they are not read.
func (c client) Write(lines []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(unreadLimit)); err != nil {
		return 0, err
	}
	return c.Conn.Write(lines)
}
