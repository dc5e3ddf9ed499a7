package headless

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"syscall"
	"time"

	"pawl/lifecycle"
)

// ErrNothingSaid reports that the input ended before it said anything to do.
var ErrNothingSaid = errors.New(`nothing was asked: a line of standard input is like {"type":"message","text":"…"}`)

// talk is the other program's side of a watch.
type talk struct {
	feed  *feed        // nil: no stream
	input <-chan heard // nil: nothing is listened to, or no more
	gone  <-chan struct{}
	owed  lifecycle.Seq // a command's record, which the ledger is yet to see
	acted bool          // something was asked
	begun bool          // a run of it was promised: there will be an answer
	told  lifecycle.Seq // that nothing happens
	late  int           // the exit code of a signal that came when all was done
	no    map[lifecycle.QuestionID]bool
}

// begin opens the stream and begins to listen.
func (w *watch) begin(ctx context.Context) {
	o := w.options
	if o.Stream == nil {
		return
	}
	w.feed = newFeed(o)
	w.gone = w.feed.broken
	go w.feed.run(ctx, o.Route, o.Snapshot.Root)
	if o.Stream.Input == nil {
		return
	}
	input := make(chan heard)
	w.input = input
	go func() { // it ends with the program where nobody closes the input
		if err := listen(ctx, o.Stream.Input, o.Snapshot.Root, w.feed.room, input); err != nil {
			tell(o.Errors, "%s", err.Error())
		}
	}()
}

// unread ends everything: nobody reads what is written, or it cannot be.
func (w *watch) unread(ctx context.Context) {
	if errors.Is(w.feed.err, syscall.EPIPE) {
		w.signal = cmp.Or(w.signal, ExitSIGPIPE)
	}
	w.gone, w.input = nil, nil
	w.stopAll(ctx, lifecycle.CauseProcessEnd)
}

// leave ends the stream without a result: nothing was asked. That nobody reads it is
// no news.
func (w *watch) leave() error {
	if w.feed == nil {
		return nil
	}
	w.feed.finish(nil, 0)
	if err := w.await(); !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return nil
}

// await waits until the last line is written. A signal, before or now, bounds that: the
// reader may have gone to sleep.
func (w *watch) await() error {
	if w.signal == 0 {
		select {
		case <-w.feed.done:
			return w.feed.err
		case w.late = <-w.options.Signals:
		}
	}
	select {
	case <-w.feed.done:
		return w.feed.err
	case <-time.After(stopPatience):
		w.signal = cmp.Or(w.signal, w.late)
		return errUnread
	}
}

var errUnread = errors.New("write standard output: nobody reads it, so its last lines are missing")

// hear carries out a line of input, and answers it.
func (w *watch) hear(ctx context.Context, h heard) {
	var reply lifecycle.Reply
	err := h.err
	if err == nil {
		reply, err = w.options.Route.Do(ctx, h.command)
	}
	if err == nil {
		w.asked(reply)
	}
	w.feed.reply(replyTo(h, reply, err))
}

// asked notes that a command was carried out: what it wrote is still to be seen.
func (w *watch) asked(reply lifecycle.Reply) {
	w.acted = true
	for _, run := range reply.Runs {
		w.owed = max(w.owed, run.Seq)
		w.begun = w.begun || !w.ledger.old[run.ID] // a stop of what has ended reaches that
	}
}

// deaf says that nothing more is listened to. From here on nobody answers questions.
func (w *watch) deaf(ctx context.Context) {
	w.input = nil
	w.afterParent(ctx)
	w.deny(ctx)
}

// deny says no to every question that waits, once nobody is there to answer it.
func (w *watch) deny(ctx context.Context) {
	if w.input != nil {
		return
	}
	for _, run := range w.ledger.Live() {
		for _, q := range run.Asked {
			if w.no[q.ID] {
				continue
			}
			if w.no == nil {
				w.no = map[lifecycle.QuestionID]bool{}
			}
			w.no[q.ID] = true
			answer := lifecycle.Answer{By: "nobody", Reason: "nobody is there to ask: standard input has ended"}
			_, err := w.options.Route.Do(ctx, lifecycle.Resolve{Question: q.ID, Answer: answer})
			if err != nil && !errors.Is(err, lifecycle.ErrUnknown) { // it was answered meanwhile
				tell(w.options.Errors, "deny: %s", err.Error())
			}
		}
	}
}

// idle says that no run answers anything that was asked here: what was said, a stop of
// all, say, began none.
func (w *watch) idle() bool {
	parent := w.ledger.parent()
	return !w.begun && (parent.ID == "" || w.ledger.old[parent.ID])
}

// over says that all is done. While the other program may say more it is only told,
// once each time, that nothing happens without it.
func (w *watch) over() bool {
	if w.ledger.Seq() < w.owed {
		return false
	}
	if w.input == nil {
		return len(w.ledger.Live()) == 0 && !w.waking && (w.ledger.settled() || w.idle())
	}
	resting := !w.waking && !slices.ContainsFunc(w.ledger.Live(), func(run lifecycle.Run) bool { return !run.Shell() })
	if w.acted && resting && w.told != w.ledger.Seq() {
		w.told = w.ledger.Seq()
		w.feed.rest(w.told)
	}
	return false
}
