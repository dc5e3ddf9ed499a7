package front

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pawl/agent/settings"
	"pawl/internal/fleet"
	"pawl/internal/socket"
)

// dialLimit is how long a host may take to answer a connection.
const dialLimit = 2 * time.Second

// hosts is the folder of the sockets of this user's hosts.
func hosts() socket.Folder { return socket.In(stateFolder()) }

func stateFolder() string { return settings.FindFolders().State }

// dial connects to the host of a session; nil if there is none.
func dial(session string) (*socket.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialLimit)
	defer cancel()
	return hosts().Dial(ctx, session)
}

// liveSession is the session of a live host that a person means by a part of its id or, without one,
// that of this folder which needs them most; empty if that is not clear from here. Whoever opens the
// database says more.
func liveSession(words []string) string {
	if len(words) == 0 {
		return mostUrgent(here())
	}
	found, err := hosts().Find(words[0])
	if err != nil || len(found) != 1 {
		return ""
	}
	return found[0]
}

// mostUrgent is the open session of a folder that asks something, else one that works, else one in which
// nothing was said yet, of which the database does not know; among equals the one that stands so for the
// shortest time. Empty if there is none: of the others the last one is meant, open or not, and which that
// is the database knows.
func mostUrgent(folder string) string {
	open, _, err := fleet.Hosts(context.Background(), hosts())
	if err != nil {
		return ""
	}
	urgency := []fleet.State{fleet.NeedsYou, fleet.Works, fleet.Idle}
	open = slices.DeleteFunc(open, func(s fleet.Status) bool {
		return s.Folder != folder || !slices.Contains(urgency, s.State) || s.State == fleet.Idle && s.Title != ""
	})
	if len(open) == 0 {
		return ""
	}
	return string(slices.MinFunc(open, func(a, b fleet.Status) int {
		return cmp.Or(cmp.Compare(slices.Index(urgency, a.State), slices.Index(urgency, b.State)), b.Since.Compare(a.Since))
	}).Session)
}
