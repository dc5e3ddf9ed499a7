package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"pawl/internal/socket"
)

// Follow calls show with how all hosts stand, now and whenever one of them changes, comes or goes,
// until ctx ends. The statuses are in the order of the sessions' ids. Those that are there at first
// are shown together, once each has said how it stands or has taken too long. show is called by one
// goroutine at a time.
func Follow(ctx context.Context, folder socket.Folder, show func([]Status, []Trouble)) error {
	f := &followed{folder: folder, hosts: map[string]Status{}, troubles: map[string]Trouble{}, lines: map[string]bool{}, changed: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(ctx)
	defer f.all.Wait()
	defer cancel()
	arrivals, err := folder.Changes(ctx)
	if err != nil {
		return err
	}
	f.ring() // there may be no host
	limit := time.After(answerLimit)
	for whole := false; ; {
		if err := f.reach(ctx); err != nil {
			return err
		}
		select {
		case <-arrivals:
			continue
		case <-f.changed:
		case <-limit:
			f.giveUp()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if whole = whole || f.allSpoke(); whole {
			show(f.now())
		}
	}
}

// followed is the hosts that are being followed, each over a connection of its own.
type followed struct {
	folder  socket.Folder
	changed chan struct{} // holds one ring
	all     sync.WaitGroup

	mu       sync.Mutex
	hosts    map[string]Status
	troubles map[string]Trouble
	lines    map[string]bool // sessions with a connection; false: it has ended with a trouble, and the socket stays
}

// reach follows the hosts that have come since the last call, and forgets the troubles with those that
// have gone.
func (f *followed) reach(ctx context.Context) error {
	ids, err := f.folder.Sessions()
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, connected := range f.lines {
		if !connected && !slices.Contains(ids, id) {
			delete(f.lines, id)
			delete(f.troubles, id)
			f.ring()
		}
	}
	for _, id := range ids {
		if _, known := f.lines[id]; !known {
			f.lines[id] = true
			f.all.Go(func() { f.follow(ctx, id) })
		}
	}
	return nil
}

// allSpoke reports whether each host has said how it stands, or why not is known.
func (f *followed) allSpoke() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.hosts)+len(f.troubles) == len(f.lines)
}

// giveUp waits no longer for those that have not.
func (f *followed) giveUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id := range f.lines {
		if _, spoke := f.hosts[id]; !spoke && f.troubles[id].Error == "" {
			f.troubles[id] = Trouble{id, "the process that has this session open does not answer"}
		}
	}
}

// follow takes the status lines of one host until it is gone.
func (f *followed) follow(ctx context.Context, id string) {
	err := f.read(ctx, id)
	f.mu.Lock()
	delete(f.hosts, id)
	delete(f.troubles, id)
	if err != nil && ctx.Err() == nil {
		f.troubles[id], f.lines[id] = Trouble{id, err.Error()}, false // it is not tried again while its socket stays
	} else {
		delete(f.lines, id)
	}
	f.mu.Unlock()
	f.ring()
}

func (f *followed) read(ctx context.Context, id string) error {
	conn, err := f.folder.Dial(ctx, id)
	switch {
	case errors.Is(err, socket.ErrNoHost):
		return nil // it has just left
	case err != nil:
		return err // trying again at once would only be refused again
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	order, err := json.Marshal(map[string]any{"type": statusType, "follow": true})
	if err != nil {
		return err
	}
	if err := conn.WriteLine(order); err != nil {
		return nil // as well
	}
	for {
		line, files, err := conn.ReadLine()
		for _, file := range files {
			_ = file.Close()
		}
		if err != nil {
			return nil // it has ended
		}
		if refused := socket.Refusal(line); refused != nil {
			return refused
		}
		if reply, is := replyIn(line); is && !reply.OK {
			return errors.New(reply.Error)
		}
		var s Status
		if json.Unmarshal(line, &s) != nil || s.Type != statusType || string(s.Session) != id {
			continue
		}
		f.mu.Lock()
		delete(f.troubles, id)
		f.hosts[id] = s
		f.mu.Unlock()
		f.ring()
	}
}

func (f *followed) ring() {
	select {
	case f.changed <- struct{}{}:
	default: // it rings already
	}
}

// now is a copy of how all stand.
func (f *followed) now() (statuses []Status, troubles []Trouble) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(f.hosts)) {
		statuses = append(statuses, f.hosts[id])
	}
	for _, id := range slices.Sorted(maps.Keys(f.troubles)) {
		troubles = append(troubles, f.troubles[id])
	}
	return statuses, troubles
}
