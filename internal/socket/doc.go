// Package socket is the sockets by which screens and commands reach the hosts of sessions.
//
//	host    In(state).Listen(session) ─► Accept ─► Conn: lines both ways, descriptors with them
//	client  In(state).Dial(session) ─────────────► Conn, or ErrNoHost
//	Pair ─► Conn here, and a file for a child, which makes a Conn of it by FromFD
//
// The sockets lie in one folder of the user's, one a session, named after it. Whoever connects
// must be the same user and pass what the host asks of its process; the one who is refused reads
// one line that says why. A host holds the store's lock of its session, so a socket that nobody
// listens at is left over: it counts as none, and whoever finds it removes it. Each change of the
// names in the folder is made under one lock, so nobody removes a socket that has just become live.
package socket
