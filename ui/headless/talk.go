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

// ErrNothingSaid: the input ended without a command.
var ErrNothingSaid = errors.New(`nothing was asked: a line of standard input is like {"type":"message","text":"…"}`)

// talk is the part of a watch that deals with another program.
type talk struct {
	feed  *feed            // nil without a stream
	input <-chan inputLine // nil if there is no input, or no more
	gone  <-chan struct{}
	owed  lifecycle.Seq // the newest record of a command, which the ledger may not have seen yet
	acted bool          // a command was carried out
	begun bool          // a run was started, so there will be an answer
	told  lifecycle.Seq // the record of the last idle line
	late  int           // the exit code of a signal that came when all was done
	no    map[lifecycle.QuestionID]bool
}

// begin opens the stream and starts to listen.
func (w *watch) begin(ctx context.Context) {
	o := w.options
	if o.Stream == nil {
		return
	}
	w.feed = newFeed(o.Out, o.Stream.Line, o.Hide)
	w.feed.begin(start{openingOf(o.Snapshot.Root, o.Demo, o.Stream.Opening), o.Snapshot.Seq, o.Stream.Partial})
	w.gone = w.feed.broken
	go w.feed.run(ctx, o.Route, o.Snapshot.Root)
	if o.Stream.Input == nil {
		return
	}
	input := make(chan inputLine)
	w.input = input
	go func() { // it ends with the program if nobody closes the input
		if err := readInput(ctx, o.Stream.Input, orders(), o.Snapshot.Root, w.feed.room, input); err != nil {
			tell(o.Errors, "%s", err.Error())
		}
	}()
}

// stopUnread stops everything: the output is not read, or cannot be written.
func (w *watch) stopUnread(ctx context.Context) {
	if errors.Is(w.feed.err, syscall.EPIPE) {
		w.signal = cmp.Or(w.signal, ExitSIGPIPE)
	}
	w.gone, w.input = nil, nil
	w.stopAll(ctx, lifecycle.CauseProcessEnd)
}

// leave ends the stream without a result, because nothing was asked. A closed output is not an
// error here.
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

// await waits until the last line is written. A signal, earlier or now, limits that: the reader
// may have stopped reading.
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

func (w *watch) carryOut(ctx context.Context, h inputLine) {
	var reply lifecycle.Reply
	err := h.err
	if err == nil {
		if w.feed.dropIdle() {
			w.told = 0
		}
		reply, err = w.interruptible(ctx, h.asked.command)
	}
	if err == nil {
		w.noteCommand(reply)
	}
	w.feed.reply(replyTo(h, reply, err))
	if w.signal != 0 {
		w.heedSignal(ctx)
	}
}

// noteCommand notes one that was carried out: the records it wrote are still to be seen.
func (w *watch) noteCommand(reply lifecycle.Reply) {
	w.acted = true
	for _, run := range reply.Runs {
		w.owed = max(w.owed, run.Seq)
		w.begun = w.begun || !w.ledger.old[run.ID] // stopping an ended run returns that run
	}
}

// inputEnded notes the end of the input. From now on nobody answers questions.
func (w *watch) inputEnded(ctx context.Context) {
	w.input = nil
	w.afterParent(ctx)
	w.deny(ctx)
}

// deny denies every open question once nobody is there to answer.
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
			answer := lifecycle.Answer{By: lifecycle.DeciderNobody, Reason: "nobody is there to ask: standard input has ended"}
			_, err := w.options.Route.Do(ctx, lifecycle.Resolve{Question: q.ID, Answer: answer})
			if err != nil && !errors.Is(err, lifecycle.ErrUnknown) { // it was answered meanwhile
				tell(w.options.Errors, "deny: %s", err.Error())
			}
		}
	}
}

// idle reports that no run answers anything asked here: a command such as stop may start none.
func (w *watch) idle() bool {
	parent := w.ledger.parent()
	return !w.begun && (parent.ID == "" || w.ledger.old[parent.ID])
}

// awaited are the runs whose end is waited for: when Pawl was told to end, not those that are left
// at work on other machines.
func (w *watch) awaited() []lifecycle.Run {
	return slices.DeleteFunc(w.ledger.Live(), func(run lifecycle.Run) bool { return run.Outlives(w.stopping) })
}

// over reports that all is done. There is no gap: the supervisor wakes the parent in the same
// transaction as the end that it is notified of, or says that it is about to. A notification that
// waits for a person is not waited for. While the other program may say more it only gets an idle line,
// once each time.
func (w *watch) over() bool {
	if w.ledger.Seq() < w.owed {
		return false
	}
	if w.input == nil {
		return len(w.awaited()) == 0 && !w.waking && (w.ledger.parent().ID != "" || w.idle())
	}
	if w.acted && !w.waking && !w.ledger.working() && w.told != w.ledger.Seq() {
		w.told = w.ledger.Seq()
		w.feed.idleAfter(w.told)
	}
	return false
}
