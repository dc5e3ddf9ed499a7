package app

import (
	"context"

	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/ui"
)

// opening is a session that is being opened. The supervisor reads all its runs, which takes some
// 25 µs each; the screen need not wait for that to show the end of a long session.
type opening struct {
	cancel   context.CancelFunc // quitting does not wait for a long session
	done     chan struct{}      // closed when snapshot and err are set
	snapshot lifecycle.Snapshot
	err      error
}

func (h *Session) begin(ctx context.Context, seed lifecycle.Spec) *opening {
	ctx, cancel := context.WithCancel(ctx)
	o := &opening{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer cancel()
		defer close(o.done)
		o.snapshot, o.err = h.Supervisor.Open(ctx, h.Root, seed)
		if o.err == nil {
			o.snapshot, o.err = h.recordFound(ctx, o.snapshot)
		}
	}()
	return o
}

// recordFound records what the last process of the session changed in files and could not record
// itself, before anything else is done, and returns the session with that.
func (h *Session) recordFound(ctx context.Context, opened lifecycle.Snapshot) (lifecycle.Snapshot, error) {
	found := false
	h.recordAnnounced(ctx, func(filestore.Intent) bool { return true }, func(run lifecycle.RunID, changed lifecycle.FilesChanged) error {
		found = true
		return h.Supervisor.RecordFound(h.Root, run, changed)
	})
	if !found {
		return opened, nil
	}
	return h.Supervisor.Snapshot(h.Root)
}

// Wait returns the session once it is open, or why it is not.
func (o *opening) Wait(ctx context.Context) (lifecycle.Snapshot, error) {
	select {
	case <-o.done:
		return o.snapshot, o.err
	case <-ctx.Done():
		return lifecycle.Snapshot{}, context.Cause(ctx)
	}
}

func (o *opening) ready() bool {
	select {
	case <-o.done:
		return true
	default:
		return false
	}
}

// underWay is what is known of an old session before its runs are read.
func (h *Session) underWay(ctx context.Context) (lifecycle.Snapshot, error) {
	seq, err := h.Store.LastSeq(ctx, h.Root)
	return lifecycle.Snapshot{Root: h.Root, Seq: seq, Reopened: seq > 0}, err
}

// Opened sets what the screen shows of the session as it is now: its runs, and the end of what was said.
// While it is being opened that is only its end and, in Options.Open, the way to load the rest.
func (h *Session) Opened(ctx context.Context, options *ui.Options) error {
	if h.Opening.ready() { // complete from the first frame on
		now, err := h.now(ctx)
		options.Snapshot, options.OpenedAt, options.Tail, options.Returned = now.Snapshot, now.OpenedAt, now.Tail, now.Returned
		return err
	}
	tail, err := h.Store.Tail(ctx, h.Root, h.Root, 0, FirstScreen)
	options.Snapshot, options.OpenedAt, options.Tail, options.Open = h.Snapshot, h.Snapshot.Seq, tail, h.now
	return err
}

// now is the session as it stands, once it is open. Its host may have had it for days: who comes then
// is not to go through all that has happened since.
func (h *Session) now(ctx context.Context) (now ui.Opened, err error) {
	opened, err := h.Opening.Wait(ctx)
	if err != nil {
		return now, err
	}
	now.OpenedAt = opened.Seq
	if now.Snapshot, err = h.Supervisor.Snapshot(h.Root); err != nil || now.Snapshot.Seq == 0 {
		return now, err
	}
	if now.Tail, err = h.Store.Tail(ctx, h.Root, h.Root, now.Snapshot.Seq+1, FirstScreen); err != nil {
		return now, err
	}
	now.Returned, err = h.Store.Returned(ctx, h.Root)
	return now, err
}

// Route carries out commands and follows sessions for callers that may come before the session
// is open: it waits for that.
type Route struct{ *Session }

// Do carries out a command once the session is open.
func (r Route) Do(ctx context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	if _, err := r.Opening.Wait(ctx); err != nil {
		return lifecycle.Reply{}, err
	}
	return r.Supervisor.Do(ctx, command)
}

// Watch follows the session once it is open.
func (r Route) Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error {
	if _, err := r.Opening.Wait(ctx); err != nil {
		return err
	}
	return r.Supervisor.Watch(ctx, root, from, fn)
}

// FirstScreen is how many records of a session that is not new are read before the first
// frame: a screen full of the densest conversation, and some to scroll to.
const FirstScreen = 150
