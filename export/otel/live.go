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

// Options say what is sent, of which session.
type Options struct {
	Config  Config // Config.On must be true
	Version string // Pawl's version
	// Snapshot is the session when it was opened. Of its runs only those that ended at Since or
	// later are sent: they were found dead.
	Snapshot lifecycle.Snapshot
	Since    time.Time
	// Hide masks secrets in everything that is sent.
	Hide mask.Mask
	// Server returns the address of a model's server ("provider/name"); an empty host if it is
	// not known. May be nil.
	Server func(model string) (host string, port int)
}

// Live sends one session to a collector. It must be used by one goroutine.
type Live struct {
	tree   *tree
	sender *sender
	broken bool
}

// Start begins to send. The caller must Close the Live.
func Start(o Options) *Live {
	for _, line := range o.Config.Warnings {
		slog.Warn("telemetry", "variable", line)
	}
	s := newSender(o.Config, o.Version)
	return &Live{tree: newTree(o, s.add), sender: s}
}

// source describes the service. Secrets are masked: a variable may contain another one's value.
func source(o Options) *resource.Resource {
	all := []attribute.KeyValue{
		fact("service.name", "pawl"), fact("service.version", o.Version),
		fact("telemetry.sdk.name", "pawl"), fact("telemetry.sdk.language", "go"), fact("telemetry.sdk.version", o.Version),
	}
	for _, p := range o.Config.resource { // of two with the same key the later counts
		all = append(all, fact(o.Hide.Text(p.key), o.Hide.Text(p.value)))
	}
	return resource.NewWithAttributes(schemaURL, all...)
}

// Note takes the next records of the session, in order. It never blocks.
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

// Close ends what is in progress and sends what is left, until ctx ends. When it returns nothing
// of Live runs any more.
func (l *Live) Close(ctx context.Context) {
	l.tree.end(time.Now())
	l.sender.close(ctx)
}
