package otel

import (
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"pawl/lifecycle"
)

// tree turns records into spans: where each belongs, and its attributes.
type tree struct {
	Options
	send     func(span)
	resource *resource.Resource
	scope    instrumentation.Scope
	spans    lifecycle.Spans
	ledger   *lifecycle.Ledger
	runs     map[lifecycle.RunID]*running          // runs in progress
	known    map[lifecycle.RunID]trace.SpanContext // span of every run
}

// running is a run in progress, with its span so far.
type running struct {
	lifecycle.Run
	span  span
	first lifecycle.Seq
	line  bool               // it waited for a slot
	told  map[int][]sdk.Link // by step: the runs whose ends its model was told of
}

func newTree(o Options, send func(span)) *tree {
	t := &tree{
		Options: o, send: send, resource: source(o), scope: instrumentation.Scope{Name: "pawl", Version: o.Version, SchemaURL: schemaURL},
		ledger: lifecycle.NewLedger(o.Snapshot),
		runs:   map[lifecycle.RunID]*running{}, known: map[lifecycle.RunID]trace.SpanContext{},
	}
	for _, run := range o.Snapshot.Runs { // in the order they were spawned
		place, ok := t.known[run.ParentRun]
		if !ok {
			place = t.begin(traceOf(run.ID), trace.SpanContext{})
		}
		place = place.WithSpanID(spanOfRun(run.ID))
		t.known[run.ID] = place
		if run.State == lifecycle.StateInterrupted && !run.EndedAt.Before(o.Since) {
			t.found(run)
		}
	}
	return t
}

// found sends a run that was in progress in a process that died: its steps were sent by that
// process, the run itself never was.
func (t *tree) found(run lifecycle.Run) {
	r := &running{Run: run}
	r.span.SpanContext = t.known[run.ID]
	if run.ParentRun != "" {
		r.span.below(above(run))
	}
	t.finish(r, lifecycle.Record{Seq: run.Seq, Time: run.HeardAt})
}

// above is the parent span of a run that another one started.
func above(run lifecycle.Run) trace.SpanID {
	if run.Call == "" {
		return spanOfRun(run.ParentRun)
	}
	return spanOfCall(run.ParentRun, run.Call)
}

func (t *tree) note(rec lifecycle.Record) error {
	_, begins := rec.Event.(lifecycle.Spawned)
	var before lifecycle.RunID
	if begins {
		before = t.ledger.Latest(rec.Session).ID
		t.runs[rec.Run] = &running{first: rec.Seq, told: map[int][]sdk.Link{}}
	}
	if err := t.ledger.Apply(rec); err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	r := t.runs[rec.Run]
	if r != nil {
		r.Run = t.ledger.Run(rec.Run)
	}
	if begins {
		t.place(r, before)
	}
	if _, waits := rec.Event.(lifecycle.Queued); waits && r != nil {
		r.line = true
	}
	t.spans.Note(rec, t.over)
	if _, ends := rec.Event.(lifecycle.Ended); ends && r != nil {
		t.finish(r, rec)
		delete(t.runs, rec.Run)
	}
	return nil
}

// place determines the parent of a new run's span: the call that started it while that run goes
// on, or else a new trace, which may be below Pawl's own parent. before is the session's
// previous run, if any.
func (t *tree) place(r *running, before lifecycle.RunID) {
	s := &r.span
	switch from := t.runs[r.ParentRun]; {
	case from != nil:
		s.SpanContext = from.span.SpanContext.WithSpanID(spanOfRun(r.ID))
		s.below(above(r.Run))
	default:
		s.Parent = t.Config.parent
		id := traceOf(r.ID)
		if s.Parent.IsValid() {
			id = s.Parent.TraceID()
		}
		s.SpanContext = t.begin(id, s.Parent).WithSpanID(spanOfRun(r.ID))
		if started, ok := t.known[r.ParentRun]; ok {
			s.Links = append(s.Links, linkTo(started.WithSpanID(above(r.Run)), "started_by"))
		}
	}
	if before != "" {
		s.Links = append(s.Links, linkTo(t.known[before], "previous_run"))
	}
	t.known[r.ID] = s.SpanContext
}

// begin is the root of a trace, with the decision whether it is sent.
func (t *tree) begin(id trace.TraceID, parent trace.SpanContext) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: id, TraceFlags: flags(t.Config.sampler, id, parent), TraceState: parent.TraceState(),
	})
}

func linkTo(place trace.SpanContext, what string) sdk.Link {
	return sdk.Link{SpanContext: place, Attributes: []attribute.KeyValue{attribute.String(keyLink, what)}}
}

// emit sends a span of a run, unless its trace is not sampled.
func (t *tree) emit(s span) {
	if s.SpanContext.IsSampled() {
		s.Name, s.Resource, s.InstrumentationScope = valid(s.Name), t.resource, t.scope
		t.send(s)
	}
}

// end ends what is in progress: no more records will come.
func (t *tree) end(now time.Time) {
	t.spans.Open(func(s lifecycle.Span) {
		s.To = now
		t.over(s)
	})
	for _, r := range t.runs {
		r.State, r.Cause = lifecycle.StateInterrupted, lifecycle.CauseProcessEnd
		t.finish(r, lifecycle.Record{Seq: r.Seq, Time: now})
	}
	clear(t.runs)
}
