package hosted

import (
	"bufio"
	"context"
	"errors"

	"pawl/internal/fleet"
)

// Follow calls show with how the session stands, now and at each change, until show returns false, the
// host is gone or ctx ends. The connection is of no use afterwards.
func (s *Session) Follow(ctx context.Context, show func(fleet.Status) bool) error {
	defer context.AfterFunc(ctx, s.Close)()
	if err := s.order(map[string]any{"type": "status", "follow": true}); err != nil {
		return err
	}
	for lines := (reader{bufio.NewReader(s.conn)}); ; {
		l, err := lines.next()
		switch {
		case err != nil:
			return err
		case l.Type == "reply":
			if reply := as[fleet.Reply](l); !reply.OK {
				return errors.New(reply.Error)
			}
		case l.Type == "status" && !show(as[fleet.Status](l)):
			return nil
		}
	}
}
