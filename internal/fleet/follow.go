package fleet

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"pawl/internal/socket"
)

// Follow calls show with how all hosts stand, now and whenever one of them changes, comes or goes,
// until ctx ends. The statuses are in the order of the sessions' ids. show is called by one
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
	first, troubles, err := Hosts(ctx, folder)
	if err != nil {
		return err
	}
	show(first, troubles)
	for {
		if err := f.reach(ctx); err != nil {
			return err
		}
		select {
		case <-arrivals:
		case <-f.changed:
			show(f.now())
		case <-ctx.Done():
			return context.Cause(ctx)
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
	lines    map[string]bool // sessions with a connection
}

// reach follows the hosts that have come since the last call.
func (f *followed) reach(ctx context.Context) error {
	ids, err := f.folder.Sessions()
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		if !f.lines[id] {
			f.lines[id] = true
			f.all.Go(func() { f.follow(ctx, id) })
		}
	}
	return nil
}

// follow takes the status lines of one host until it is gone.
func (f *followed) follow(ctx context.Context, id string) {
	err := f.read(ctx, id)
	f.mu.Lock()
	delete(f.hosts, id)
	delete(f.troubles, id)
	if err != nil && ctx.Err() == nil {
		f.troubles[id] = Trouble{id, err.Error()} // it is not tried again while its socket stays
	} else {
		delete(f.lines, id)
	}
	f.mu.Unlock()
	f.ring()
}

func (f *followed) read(ctx context.Context, id string) error {
	conn, err := f.folder.Dial(ctx, id)
	if err != nil {
		return nil // it has just left
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
		var s Status
		if json.Unmarshal(line, &s) != nil || s.Type != statusType || string(s.Session) != id {
			continue
		}
		f.mu.Lock()
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
