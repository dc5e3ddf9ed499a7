package otel

import (
	"context"
	"log/slog"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Options say what is told, of which session.
type Options struct {
	Config  Config // of which On holds
	Version string // of Pawl
	Root    lifecycle.SessionID
	// Runs are those that the session had when it was opened. Of them only those are told
	// of whose end came from Since on: they were found dead.
	Runs  []lifecycle.Run
	Since time.Time
	// Hide masks secrets in whatever is sent.
	Hide mask.Mask
	// Server tells where a model ("provider/name") is asked; an empty host is not known.
	// Nil knows none.
	Server func(model string) (host string, port int)
}

// Live tells a collector of one session. It belongs to one goroutine.
type Live struct {
	tree   *tree
	queue  *queue
	sender *sender
	cancel context.CancelFunc
	broken bool
}

// Start begins to send. Close it.
func Start(o Options) *Live {
	for _, line := range o.Config.Warnings {
		slog.Warn("telemetry", "variable", line)
	}
	o.Config.resource = masked(o.Config.resource, o.Hide)
	ctx, cancel := context.WithCancel(context.Background())
	q := newQueue(o.Config.batching)
	l := &Live{queue: q, tree: newTree(o, q.add), sender: newSender(o.Config, o.Version, q), cancel: cancel}
	go l.sender.work(ctx)
	return l
}

// masked are pairs without secrets: a variable may hold another one's value.
func masked(pairs []pair, hide mask.Mask) []pair {
	var without []pair
	for _, p := range pairs {
		without = append(without, pair{hide.Text(p.key), hide.Text(p.value)})
	}
	return without
}

// Note takes in the next records of the session, in order. It never waits.
func (l *Live) Note(records []lifecycle.Record) {
	for _, rec := range records {
		if l.broken {
			return
		}
		if err := l.tree.note(rec); err != nil {
			l.broken = true
			slog.Error("telemetry: follow the session", "record", rec.Seq, "error", err)
		}
	}
}

// Close ends what is under way, sends what is left, and gives that up when ctx ends. When
// it returns nothing of Live's runs any more.
func (l *Live) Close(ctx context.Context) {
	l.tree.end(time.Now())
	close(l.queue.closing)
	select {
	case <-l.sender.done:
	case <-ctx.Done():
	}
	l.cancel()
	<-l.sender.done
}
