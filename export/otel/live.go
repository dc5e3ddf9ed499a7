package otel

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Options say what is told, of which session.
type Options struct {
	Config  Config // of which On holds
	Version string // of Pawl
	// Snapshot is the session as it was when it was opened. Of its runs only those are told
	// of whose end came from Since on: they were found dead.
	Snapshot lifecycle.Snapshot
	Since    time.Time
	// Hide masks secrets in whatever is sent.
	Hide mask.Mask
	// Server tells where a model ("provider/name") is asked; an empty host is not known.
	// Nil knows none.
	Server func(model string) (host string, port int)
}

// Live tells a collector of one session. It belongs to one goroutine.
type Live struct {
	tree   *tree
	sender *sender
	broken bool
}

// Start begins to send. Close it.
func Start(o Options) *Live {
	for _, line := range o.Config.Warnings {
		slog.Warn("telemetry", "variable", line)
	}
	s := newSender(o.Config, o.Version)
	return &Live{tree: newTree(o, s.add), sender: s}
}

// source says whose spans they are. Secrets are masked: a variable may hold another one's
// value.
func source(o Options) *resource.Resource {
	all := []attribute.KeyValue{
		fact("service.name", "pawl"), fact("service.version", o.Version),
		fact("telemetry.sdk.name", "pawl"), fact("telemetry.sdk.language", "go"), fact("telemetry.sdk.version", o.Version),
	}
	for _, p := range o.Config.resource { // of two with one key the later counts
		all = append(all, fact(o.Hide.Text(p.key), o.Hide.Text(p.value)))
	}
	return resource.NewWithAttributes(schemaURL, all...)
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
	l.sender.close(ctx)
}
