package hosted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/socket"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// dialLimit is how long a host may take to answer a connection.
const dialLimit = 2 * time.Second

// A host that is about to leave, or to listen, may hold its session so long; leavingPause is how
// often that is looked at.
const (
	leavingLimit = 10 * time.Second
	leavingPause = 20 * time.Millisecond
)

// Folder is the folder of the sockets of this user's hosts.
func Folder() socket.Folder { return socket.In(settings.FindFolders().State) }

// shownID is how much of a session's id is shown in a command to type.
const shownID = 8

// ShortID is the end of a session's id, which is enough for a command.
func ShortID(id lifecycle.SessionID) string { return string(id[max(0, len(id)-shownID):]) }

// Session is a connection to the host of a session. One goroutine uses it. The caller must Close it.
type Session struct {
	Root  lifecycle.SessionID
	Named lifecycle.SessionID // Root, or the subagent of it that was named
	conn  *socket.Conn
}

// Close ends the connection. Nothing of the session ends with it.
func (s *Session) Close() { _ = s.conn.Close() }

// NotOpenError says that nobody drives a session that there is.
type NotOpenError struct{ Root lifecycle.SessionID }

func (e *NotOpenError) Error() string { return fmt.Sprintf("session %s is not open", e.Root) }

// Dial connects to the host of a root session. The error is or wraps socket.ErrNoHost if there is none.
func Dial(ctx context.Context, root lifecycle.SessionID) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	conn, err := Folder().Dial(ctx, string(root))
	if err != nil {
		return nil, err
	}
	return &Session{Root: root, Named: root, conn: conn}, nil
}

// Find connects to the session that a name means: an id, or how one begins or ends, of a root or a
// subagent. Without a name it is the only open one of the folder. The error is one of usage if no
// session is meant, a NotOpenError if nobody drives it.
func Find(ctx context.Context, w base.World, name string) (*Session, error) {
	if name == "" {
		return ofFolder(ctx, w.Folder)
	}
	found, err := Folder().Find(name)
	switch {
	case err != nil:
		return nil, system.Usage(err.Error())
	case len(found) > 1:
		return nil, system.Usage(fmt.Sprintf("session %q could be %s: write more of it", name, strings.Join(found, ", ")))
	case len(found) == 1:
		s, err := Dial(ctx, lifecycle.SessionID(found[0]))
		if err == nil || !errors.Is(err, socket.ErrNoHost) {
			return s, err
		}
	}
	return recorded(ctx, w, name)
}

// ofFolder is the only open session of a folder.
func ofFolder(ctx context.Context, folder string) (*Session, error) {
	hosts, troubles, err := fleet.Hosts(ctx, Folder())
	if err != nil {
		return nil, err
	}
	var here []lifecycle.SessionID
	for _, host := range hosts {
		if host.Folder == folder {
			here = append(here, host.Session)
		}
	}
	switch {
	case len(here) == 1:
		return Dial(ctx, here[0])
	case len(here) > 1:
		return nil, system.Usage(fmt.Sprintf("%d sessions of this folder are open: name one; pawl ps lists them", len(here)))
	case len(troubles) > 0:
		return nil, system.Usage("which session? " + troubles[0].Error)
	}
	return nil, system.Usage("no session of this folder is open: pawl ps lists those of others")
}

// recorded finds a session in the database, which knows subagents too, and connects to its host.
func recorded(ctx context.Context, w base.World, name string) (*Session, error) {
	b, err := stored.OpenDatabase(ctx, w, name)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	found, err := stored.Named(ctx, b, name)
	if err != nil {
		return nil, err
	}
	for limit := time.Now().Add(leavingLimit); ; {
		s, err := Dial(ctx, found.Root)
		if err == nil {
			s.Named = found.ID
			return s, nil
		}
		if !errors.Is(err, socket.ErrNoHost) {
			return nil, err
		}
		pid, held, err := b.Store.Holder(found.Root)
		switch {
		case err != nil:
			return nil, err
		case !held:
			return nil, &NotOpenError{found.Root}
		case time.Now().After(limit):
			return nil, fmt.Errorf("session %s is %s, which cannot be reached: pawl show %s reads it", found.Root, base.InUse(pid), ShortID(found.Root))
		}
		if err := pause(ctx, leavingPause); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Member is the session of a subagent of this one, by its id or how that begins or ends.
func (s *Session) Member(ctx context.Context, w base.World, name string) (lifecycle.SessionID, error) {
	b, err := stored.OpenDatabase(ctx, w, name)
	if err != nil {
		return "", err
	}
	defer b.Close()
	found, err := stored.Named(ctx, b, name)
	switch {
	case err != nil:
		return "", err
	case found.Root != s.Root:
		return "", system.Usage(fmt.Sprintf("%s is of session %s, not of %s", found.ID, found.Root, s.Root))
	}
	return found.ID, nil
}
