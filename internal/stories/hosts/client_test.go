//go:build linux

package hosts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"pawl/internal/modeltest"
)

// client is a program at the socket of a session, in its own words.
type client struct {
	net.Conn
	lines *bufio.Scanner
}

// reply is what a host writes to a client, as far as it is read here.
type reply struct {
	Type, State, Error string
	OK                 bool
	Questions          []struct{ Question string }
}

// dial connects to the host of a session; nil if there is none.
func (p *play) dial(session string) *client {
	folder, err := os.Open(filepath.Join(p.Home, "state", "run"))
	if err != nil {
		return nil
	}
	defer folder.Close()
	path := fmt.Sprintf("/proc/self/fd/%d/%s.sock", folder.Fd(), session) // a test's folder may be too long for an address
	conn, err := (&net.Dialer{Timeout: modeltest.Patience}).DialContext(p.t.Context(), "unix", path)
	if err != nil {
		return nil
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	return &client{conn, lines}
}

// order writes one line.
func (c *client) order(order modeltest.Object) {
	line, err := json.Marshal(order)
	if err != nil {
		panic(err) // plain data of ours
	}
	_, _ = c.Write(append(line, '\n')) // it may be gone
}

// next reads one line of a type; false if none comes in time.
func (c *client) next(as string, limit time.Duration) (r reply, ok bool) {
	_ = c.SetReadDeadline(time.Now().Add(limit)) // it may be closed
	for c.lines.Scan() {
		r = reply{}
		if json.Unmarshal(c.lines.Bytes(), &r) == nil && r.Type == as {
			return r, true
		}
	}
	return r, false
}

// status asks the host of a session how that stands.
func (p *play) status(session string, limit time.Duration) (reply, bool) {
	c := p.dial(session)
	if c == nil {
		return reply{}, false
	}
	defer c.Close()
	c.order(modeltest.Object{"type": "status"})
	return c.next("status", limit)
}
