package headless

import (
	"cmp"
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Route is how front ends reach the sessions.
type Route interface {
	Do(context.Context, lifecycle.Command) (lifecycle.Reply, error)
	Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error
}

// follow sends the updates of a session until ctx ends, and then why it ended.
func follow(ctx context.Context, route Route, root lifecycle.SessionID, from lifecycle.Seq) (<-chan lifecycle.Updates, <-chan error) {
	updates, ended := make(chan lifecycle.Updates), make(chan error, 1)
	go func() {
		ended <- route.Watch(ctx, root, from, func(u lifecycle.Updates) {
			select {
			case updates <- u:
			case <-ctx.Done():
			}
		})
	}()
	return updates, ended
}

// Options describe one prompt.
type Options struct {
	Route        Route
	Snapshot     lifecycle.Snapshot
	Prompt       string
	Reach        []string      // as in lifecycle.Message
	Demo         bool          // the model is a script, which the answer must say
	JSON         bool          // one JSON object instead of the text
	Stream       *Stream       // one line for each record instead of either; nil: none
	StopAgents   bool          // --agents stop: end the subagents with the parent
	DrainTimeout time.Duration // how long subagents may take after the parent has first ended; 0: no limit
	Out, Errors  io.Writer
	Progress     bool      // one line for each subagent on Errors
	Hide         mask.Mask // masks JSON, which is stored, unlike text
	// Signals receives the exit code of a signal that asks for the end: everything is stopped,
	// and reported as far as it came.
	Signals <-chan int
}

// Run sends the prompt, waits until everything is settled, writes the answer and returns the
// exit code. With an input the prompt may be empty, and nothing is settled before the input has
// ended. The error is what prevented any of that.
func Run(ctx context.Context, o Options) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watch{options: o, ledger: newLedger(o.Snapshot)}
	if o.Prompt != "" || o.Stream == nil || o.Stream.Input == nil {
		reply, err := w.interruptible(ctx, lifecycle.Send{Session: o.Snapshot.Root, Text: o.Prompt, Reach: o.Reach})
		if err != nil {
			return cmp.Or(w.signal, ExitFailed), err
		}
		w.noteCommand(reply)
		w.begun = true
	}
	if o.Demo && !o.JSON && o.Stream == nil {
		TellDemo(o.Errors)
	}
	w.begin(ctx)
	if w.signal != 0 {
		w.heedSignal(ctx)
	}
	err := w.run(ctx)
	if err == nil && w.signal == 0 && w.idle() {
		err = ErrNothingSaid
	}
	if err != nil || w.idle() {
		return w.signal, errors.Join(err, w.leave())
	}
	a := conclude(w.ledger, w.signal)
	a.told, a.Demo = w.saidFault, o.Demo
	switch err = w.write(a); {
	case errors.Is(err, syscall.EPIPE): // nobody reads it
		return ExitSIGPIPE, nil
	case err != nil:
		return cmp.Or(w.signal, ExitFailed), err
	}
	return a.ExitCode, nil
}

func (w *watch) write(a answer) error {
	o := w.options
	switch {
	case w.feed != nil:
		w.feed.finish(encodeLine(o.Hide, resultLine{typeResult, a}), w.ledger.Seq())
		return w.await()
	case o.JSON:
		return o.Hide.Encode(o.Out, a)
	}
	return a.writeText(o.Out, o.Errors)
}
