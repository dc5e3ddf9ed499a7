package headless

import (
	"context"
	"io"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Client is a program that has connected to a session which others use as well. Neither what it
// does not do, nor that it goes, changes anything there: no question is denied, nothing is stopped.
type Client struct {
	Route    Route
	Root     lifecycle.SessionID
	Snapshot func() (lifecycle.Snapshot, error)     // the session as it stands
	Opening  func(next lifecycle.Seq) any           // facts for the first line of a watch; next is the number of the first record behind it
	Line     func(lifecycle.Record) ([]byte, error) // as in Stream, and for this client alone
	Status   Status
	Land     Land
	Rewind   Rewind
	In       io.Reader       // its lines
	Out      io.Writer       // what it reads; if a write fails, by a deadline too, it is gone
	Gone     func()          // returns once nobody reads Out any more, or it is closed; called at the end of In; nil: only Out tells
	Leaving  <-chan struct{} // closed when the session is about to be closed: no client says more
	Hide     mask.Mask
	Demo     bool // the model is a script
}

// Status sends a line that says how the session stands and returns or, to follow it, sends one
// at each change too and returns when ctx ends. send never blocks: of lines that nobody reads the
// newest is kept.
type Status func(ctx context.Context, follow bool, send func(line any)) error

// Serve answers a client until it has said all and was told all, or is gone, or ctx ends. A
// client that has ended its lines and watches gets the result once only commands in the background
// run; one that follows the status goes on; any other ends with its last reply. The error is that
// of ctx or of the log. Whoever closes In and Out does it afterwards: calls of both may be under way
// until then.
func Serve(ctx context.Context, o Client) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input := make(chan inputLine)
	c := &client{options: o, feed: newFeed(o.Out, o.Line, o.Hide), input: input, leaving: o.Leaving, told: noIdle}
	go c.feed.run(ctx, o.Route, o.Root)
	go func() { // an input that fails has ended
		_ = readInput(ctx, o.In, clientOrders(), o.Root, c.feed.room, input)
	}()
	return c.run(ctx)
}

// client serves one. One goroutine uses it, but for the feed.
type client struct {
	options Client
	feed    *feed
	input   <-chan inputLine // nil: no more comes
	leaving <-chan struct{}
	gone    chan struct{}

	ledger  *ledger // nil: it does not watch
	updates <-chan lifecycle.Updates
	ended   <-chan error
	heard   bool          // updates have come, so waking is known
	waking  bool          // the parent is about to be woken
	owed    lifecycle.Seq // the newest record of a command, which the ledger may not have seen yet
	told    lifecycle.Seq // the record of the last idle line
	follows bool          // it follows the status
}

func (c *client) run(ctx context.Context) error {
	for !c.over() {
		select {
		case h, more := <-c.input:
			if more {
				c.carryOut(ctx, h)
			} else {
				c.inputEnded()
			}
		case u := <-c.updates:
			if _, err := c.ledger.fold(u); err != nil {
				return err
			}
			c.heard, c.waking = true, u.Waking
		case err := <-c.ended:
			return err
		case <-c.leaving:
			c.input, c.leaving, c.follows = nil, nil, false
		case <-c.feed.done:
			return c.feedEnded()
		case <-c.gone:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	c.finish()
	select {
	case <-c.feed.done:
		return c.feedEnded()
	case <-c.gone:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// feedEnded is why nothing is written any more: the end, a client that is gone, or the log.
func (c *client) feedEnded() error {
	if c.feed.unread {
		return nil
	}
	return c.feed.err
}

// inputEnded notes that the client has said all. Whether it still reads its own end of the
// connection says.
func (c *client) inputEnded() {
	c.input = nil
	if c.options.Gone == nil {
		return
	}
	gone := make(chan struct{})
	c.gone = gone
	go func() {
		c.options.Gone()
		close(gone)
	}()
}

// over reports that all is said and done. While the client may say more it only gets an idle
// line, once each time.
func (c *client) over() bool {
	switch {
	case c.ledger == nil:
		return c.input == nil && !c.follows
	case !c.rests():
		return false
	case c.input == nil:
		return true
	}
	if c.told != c.ledger.Seq() {
		c.told = c.ledger.Seq()
		c.feed.idleAfter(c.told)
	}
	return false
}

// rests reports that nothing happens by itself any more. Commands in the background may run.
func (c *client) rests() bool {
	return c.heard && !c.waking && c.ledger.Seq() >= c.owed && !c.ledger.working()
}

// finish has the last line written: the result of what its user asked last, if a run was made.
func (c *client) finish() {
	if c.ledger == nil || c.ledger.parent().ID == "" {
		c.feed.finish(nil, 0)
		return
	}
	c.ledger.old = c.ledger.beforeLastPrompt()
	a := conclude(c.ledger, 0)
	a.Demo = c.options.Demo
	c.feed.finish(encodeLine(c.options.Hide, resultLine{typeResult, a}), c.ledger.Seq())
}
