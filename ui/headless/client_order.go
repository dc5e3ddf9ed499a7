package headless

import (
	"context"
	"errors"
	"fmt"

	"pawl/lifecycle"
)

// What only a client asks for.
type (
	watchOrder struct {
		From    *int `json:"from,omitempty"` // the record before the first; nil: the newest
		Partial bool `json:"partial,omitempty"`
	}
	statusOrder struct {
		Follow bool `json:"follow,omitempty"`
	}

	// LandOrder brings what a subagent changed in its worktree into the folder.
	LandOrder struct {
		Session  lifecycle.SessionID `json:"session,omitempty"` // the subagent; empty: the only one with something to land
		Files    []string            `json:"files,omitempty"`   // of the folder; none: everything
		Commit   bool                `json:"commit,omitempty"`
		Text     string              `json:"text,omitempty"` // of the commit
		DryRun   bool                `json:"dry_run,omitempty"`
		SendBack bool                `json:"send_back,omitempty"` // what cannot be merged, to the subagent; nothing is landed
	}
)

// Land carries out an order, and returns the line that says what it did or would do; nil where there
// is nothing to say but the error.
type Land func(ctx context.Context, order LandOrder) (line any, err error)

// clientOrders are the orders that a client has: those of a stream, and its own.
func clientOrders() []order {
	return append(orders(),
		with("watch", func(w watchOrder, _ lifecycle.SessionID) (act, error) { return act{watch: &w}, nil }),
		with("status", func(s statusOrder, _ lifecycle.SessionID) (act, error) { return act{status: &s}, nil }),
		with("land", func(l LandOrder, _ lifecycle.SessionID) (act, error) { return act{land: &l}, l.check() }),
		with("rewind", func(r RewindOrder, _ lifecycle.SessionID) (act, error) { return act{rewind: &r}, r.Check() }),
	)
}

func (l LandOrder) check() error {
	switch {
	case l.Text != "" && !l.Commit:
		return errors.New("text: it goes with commit")
	case l.SendBack && (l.Commit || l.DryRun):
		return errors.New("send_back: nothing is landed then, so it takes neither commit nor dry_run")
	}
	return nil
}

func (c *client) carryOut(ctx context.Context, h inputLine) {
	switch {
	case h.err != nil:
		c.reply(h, h.err)
	case h.asked.watch != nil:
		c.reply(h, c.watch(ctx, *h.asked.watch))
	case h.asked.status != nil && h.asked.status.Follow:
		c.follow(ctx, h)
	case h.asked.land != nil:
		line, err := c.options.Land(ctx, *h.asked.land)
		c.replyWith(h, line, err)
	case h.asked.rewind != nil:
		line, err := c.options.Rewind(ctx, *h.asked.rewind)
		c.replyWith(h, line, err)
	case h.asked.status != nil:
		var asked []byte
		err := c.options.Status(ctx, false, func(line any) { asked = encodeLine(c.options.Hide, line) })
		c.feed.reply(replyTo(h, lifecycle.Reply{}, err), asked...)
	default:
		if c.feed.dropIdle() {
			c.told = noIdle
		}
		reply, err := c.options.Route.Do(ctx, h.asked.command)
		for _, run := range reply.Runs {
			c.owed = max(c.owed, run.Seq)
		}
		c.feed.reply(replyTo(h, reply, err))
	}
}

func (c *client) reply(h inputLine, err error) { c.feed.reply(replyTo(h, lifecycle.Reply{}, err)) }

// replyWith replies behind a line, if there is one.
func (c *client) replyWith(h inputLine, line any, err error) {
	var said []byte
	if line != nil {
		said = encodeLine(c.options.Hide, line)
	}
	c.feed.reply(replyTo(h, lifecycle.Reply{}, err), said...)
}

// watch begins the stream.
func (c *client) watch(ctx context.Context, w watchOrder) error {
	if c.ledger != nil {
		return errors.New("watch: this connection watches already")
	}
	snapshot, err := c.options.Snapshot()
	if err != nil {
		return err
	}
	from := snapshot.Seq
	if w.From != nil {
		from = lifecycle.Seq(*w.From)
	}
	if from < 0 || from > snapshot.Seq {
		return fmt.Errorf("watch: from: it takes the number of a record, 0 to %d, not %d", snapshot.Seq, from)
	}
	c.ledger = newLedger(snapshot)
	// From one record before, so that updates come, which say whether the parent is about to be
	// woken. Where there are no records nothing is.
	c.updates, c.ended = follow(ctx, c.options.Route, c.options.Root, max(0, snapshot.Seq-1))
	c.heard = snapshot.Seq == 0
	c.feed.begin(start{openingOf(c.options.Root, c.options.Demo, c.options.Opening(from+1)), from, w.Partial})
	return nil
}

// follow has the status written at each change. The first line stands before the reply.
func (c *client) follow(ctx context.Context, h inputLine) {
	if c.follows {
		c.reply(h, errors.New("status: this connection follows it already"))
		return
	}
	first, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		told := false
		failed <- c.options.Status(ctx, true, func(line any) {
			encoded := encodeLine(c.options.Hide, line)
			if told {
				c.feed.show(encoded)
				return
			}
			told = true
			c.feed.reply(replyTo(h, lifecycle.Reply{}, nil), encoded...)
			close(first)
		})
	}()
	select {
	case <-first:
		c.follows = true
	case err := <-failed:
		select {
		case <-first: // and has ended since
		default:
			c.reply(h, err)
		}
	case <-ctx.Done():
	}
}
