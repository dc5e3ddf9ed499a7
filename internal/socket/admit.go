//go:build !windows

package socket

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// refusalLimit bounds what telling a process that it is refused may take. The line always fits
// into the buffer of a new connection.
const refusalLimit = time.Second

// admit returns the connection if it may be had, and otherwise says why not and closes it.
func (l *Listener) admit(conn *net.UnixConn) *Conn {
	if l.open.Add(1) > MaxConns {
		l.open.Add(-1)
		refuse(conn, fmt.Errorf("this session has %d connections already: close one of them first", MaxConns))
		return nil
	}
	pid, err := l.examine(conn)
	if err != nil {
		l.open.Add(-1)
		refuse(conn, err)
		return nil
	}
	c := newConn(conn, pid)
	c.closed = func() { l.open.Add(-1) }
	return c
}

// examine returns the process that has connected, or why it may not.
func (l *Listener) examine(conn *net.UnixConn) (pid int, err error) {
	who, err := peerOf(conn)
	if err != nil {
		return 0, fmt.Errorf("cannot tell which process connects: %w", err)
	}
	defer who.close()
	switch {
	case who.uid != os.Geteuid():
		return 0, errors.New("this session belongs to another user")
	case who.pid <= 0:
		return 0, errors.New("cannot tell which process connects: it is outside of this container")
	}
	if l.refuse != nil {
		if err := l.refuse(who.pid); err != nil {
			return 0, err
		}
	}
	// Last, so that the process that was looked at is the one that has connected and not another
	// with the same number.
	if who.ended() {
		return 0, errors.New("the process that connected has ended: connect again from one that lives")
	}
	return who.pid, nil
}

type refusal struct {
	Type  string `json:"type"`
	Error string `json:"error"`
}

func refuse(conn *net.UnixConn, why error) {
	line, _ := json.Marshal(refusal{"refused", why.Error()}) // two texts
	_ = conn.SetWriteDeadline(time.Now().Add(refusalLimit))
	_, _ = conn.Write(append(line, '\n')) // it may be gone
	_ = conn.Close()
}
