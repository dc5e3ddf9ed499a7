package front

import (
	"context"
	"time"

	"pawl/agent/settings"
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

// liveSession is the session of a live host that a person means by a part of its id; empty if that
// is not clear. Whoever opens the database says more.
func liveSession(words []string) string {
	if len(words) != 1 {
		return ""
	}
	found, err := hosts().Find(words[0])
	if err != nil || len(found) != 1 {
		return ""
	}
	return found[0]
}
