package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"pawl/internal/socket"
)

const (
	answerLimit = time.Second // how long one host may take: on a busy machine a third of it is not enough
	atOnce      = 64          // so many are asked at the same time: each takes a descriptor
)

// Trouble is a session whose host did not say how it stands, and why, in one line.
type Trouble struct {
	Session string `json:"session"`
	Error   string `json:"error"`
}

// Hosts asks all hosts that listen in a folder how their sessions stand, side by side. Both
// lists are in the order of the sessions' ids. A host that ends meanwhile is in neither. The error
// is one of the folder, or of ctx.
func Hosts(ctx context.Context, folder socket.Folder) ([]Status, []Trouble, error) {
	ids, err := folder.Sessions()
	if err != nil {
		return nil, nil, err
	}
	type answer struct {
		status Status
		err    error
	}
	answers, slots := make([]answer, len(ids)), make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, id := range ids {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			answers[i].status, answers[i].err = statusOf(ctx, folder, id)
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	var (
		hosts    []Status
		troubles []Trouble
	)
	for i, a := range answers {
		switch {
		case errors.Is(a.err, socket.ErrNoHost):
		case a.err != nil:
			troubles = append(troubles, Trouble{ids[i], a.err.Error()})
		default:
			hosts = append(hosts, a.status)
		}
	}
	return hosts, troubles, nil
}

func statusOf(ctx context.Context, folder socket.Folder, session string) (Status, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	conn, err := folder.Dial(ctx, session)
	if err != nil {
		return Status{}, err
	}
	defer func() { _ = conn.Close() }()
	return StatusOf(ctx, conn, session)
}

// StatusOf asks the host at the other end how its session stands. What is said of Ask holds.
func StatusOf(ctx context.Context, conn *socket.Conn, session string) (Status, error) {
	before, _, err := exchange(ctx, conn, map[string]string{"type": statusType})
	if err != nil {
		return Status{}, err
	}
	for _, line := range before {
		var s Status
		if json.Unmarshal(line, &s) == nil && s.Type == statusType && string(s.Session) == session {
			return s, nil
		}
	}
	return Status{}, fmt.Errorf("process %d, which has this session open, does not say how it stands", conn.Peer())
}
