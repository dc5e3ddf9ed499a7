package main

import (
	"context"

	"pawl/lifecycle"
	"pawl/ui"
)

// opening is a session on its way: the supervisor reads all its runs, which takes
// some 25 µs each, and the screen of a long session need not wait for that to show
// its end.
type opening struct {
	cancel   context.CancelFunc // who leaves does not wait for a long one
	done     chan struct{}      // closed when the rest stands
	snapshot lifecycle.Snapshot
	err      error
}

// begin lets the supervisor open the session.
func (h *house) begin(ctx context.Context, seed lifecycle.Spec) *opening {
	ctx, cancel := context.WithCancel(ctx)
	o := &opening{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer cancel()
		defer close(o.done)
		o.snapshot, o.err = h.supervisor.Open(ctx, h.root, seed)
	}()
	return o
}

// wait gives the session once it is open.
func (o *opening) wait(ctx context.Context) (lifecycle.Snapshot, error) {
	select {
	case <-o.done:
		return o.snapshot, o.err
	case <-ctx.Done():
		return lifecycle.Snapshot{}, context.Cause(ctx)
	}
}

// stands reports whether the session is open, or cannot be opened.
func (o *opening) stands() bool {
	select {
	case <-o.done:
		return true
	default:
		return false
	}
}

// underWay is what is known of an old session before its runs are read.
func (h *house) underWay(ctx context.Context) (lifecycle.Snapshot, error) {
	seq, err := h.Store.LastSeq(ctx, h.root)
	return lifecycle.Snapshot{Root: h.root, Seq: seq, Reopened: seq > 0}, err
}

// opened gives the screen what it shows of the session: all, or its end and, in
// Options.Open, the way to the rest.
func (h *house) opened(ctx context.Context, options *ui.Options) error {
	whole := func(ctx context.Context) (ui.Opened, error) {
		snapshot, err := h.opening.wait(ctx)
		if err != nil || snapshot.Seq == 0 {
			return ui.Opened{Snapshot: snapshot}, err
		}
		tail, err := h.Store.Tail(ctx, h.root, h.root, 0, firstScreen) // what the opening itself has recorded is in it
		return ui.Opened{Snapshot: snapshot, Tail: tail}, err
	}
	tail, err := h.Store.Tail(ctx, h.root, h.root, 0, firstScreen)
	if !h.opening.stands() {
		options.Snapshot, options.Tail, options.Open = h.snapshot, tail, whole
		return err
	}
	// A short one, which has taken no longer than its end: it is whole from the first frame on.
	opened, err := whole(ctx)
	options.Snapshot, options.Tail = opened.Snapshot, opened.Tail
	return err
}

// route is the way to the sessions for who may come before they are open.
type route struct{ *house }

// Do carries out a command once the session is open.
func (r route) Do(ctx context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	if _, err := r.opening.wait(ctx); err != nil {
		return lifecycle.Reply{}, err
	}
	return r.supervisor.Do(ctx, command)
}

// Watch follows the session once it is open.
func (r route) Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	if _, err := r.opening.wait(ctx); err != nil {
		return err
	}
	return r.supervisor.Watch(ctx, root, from, fn)
}

// firstScreen is how many records of a reopened session are read before the first
// frame: a screen full of the densest conversation, and some to scroll to.
const firstScreen = 150
