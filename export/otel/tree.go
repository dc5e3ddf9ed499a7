package otel

import (
	"fmt"
	"time"

	"pawl/lifecycle"
)

// tree makes spans of records: where each stands, and what is said on it.
type tree struct {
	Options
	send  func(span)
	spans lifecycle.Spans
	runs  map[lifecycle.RunID]*running
	known map[lifecycle.RunID]at // of every run
	last  map[lifecycle.SessionID]lifecycle.RunID
}

// running is a run under way, with what its span will say.
type running struct {
	lifecycle.Run
	span  span
	first lifecycle.Seq
	line  bool           // it had to wait for a slot
	told  map[int][]link // by step: the runs that its model was told of
}

func newTree(o Options, send func(span)) *tree {
	t := &tree{
		Options: o, send: send, runs: map[lifecycle.RunID]*running{}, known: map[lifecycle.RunID]at{},
		last: map[lifecycle.SessionID]lifecycle.RunID{},
	}
	for _, run := range o.Runs { // in the order in which they were spawned
		place := at{traceOf(run.ID), spanOfRun(run.ID)}
		if above, ok := t.known[run.ParentRun]; ok {
			place.trace = above.trace
		}
		t.know(run, place)
		if run.State == lifecycle.StateInterrupted && !run.EndedAt.Before(o.Since) {
			t.found(run)
		}
	}
	return t
}

func (t *tree) know(run lifecycle.Run, place at) {
	t.known[run.ID] = place
	t.last[run.Session] = run.ID
}

// found tells of a run that was under way in a process that died: its steps were told of
// there, and itself never.
func (t *tree) found(run lifecycle.Run) {
	r := &running{Run: run, span: span{at: t.known[run.ID]}}
	if run.ParentRun != "" {
		r.span.parent = above(run)
	}
	t.finish(r, lifecycle.Record{Seq: run.Seq, Time: run.HeardAt})
}

// above is the span below which a run stands that another started.
func above(run lifecycle.Run) spanID {
	if run.Call == "" {
		return spanOfRun(run.ParentRun)
	}
	return spanOfCall(run.ParentRun, run.Call)
}

// note takes in the next record.
func (t *tree) note(rec lifecycle.Record) error {
	_, begins := rec.Event.(lifecycle.Spawned)
	if begins {
		t.runs[rec.Run] = &running{first: rec.Seq, told: map[int][]link{}}
	}
	r := t.runs[rec.Run]
	if r != nil {
		var err error
		if r.Run, err = r.Apply(rec); err != nil {
			return fmt.Errorf("record %d: %w", rec.Seq, err)
		}
	}
	if begins {
		t.place(r)
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

// place finds where a new run's span stands: below the call that started it while the run
// of that goes on, else at the beginning of a trace, which may be below Pawl's own parent.
func (t *tree) place(r *running) {
	s := &r.span
	s.at = at{traceOf(r.ID), spanOfRun(r.ID)}
	before, again := t.last[r.Session]
	switch from := t.runs[r.ParentRun]; {
	case from != nil:
		s.trace, s.state, s.parent = from.span.trace, from.span.state, above(r.Run)
	default:
		if p := t.Config.parent; !p.none() {
			s.trace, s.state, s.parent = p.trace, p.state, p.span
		}
		if started, ok := t.known[r.ParentRun]; ok {
			s.links = append(s.links, linkTo(at{started.trace, above(r.Run)}, "started_by"))
		}
	}
	if again {
		s.links = append(s.links, linkTo(t.known[before], "previous_run"))
	}
	t.know(r.Run, s.at)
}

func linkTo(place at, what string) link {
	return link{place, []attribute{{keyLink, what}}}
}

// emit sends a span of a run, unless its trace is not sampled.
func (t *tree) emit(s span) {
	if t.Config.sampler.keeps(s.trace, t.Config.parent) {
		t.send(s)
	}
}

// end ends what is under way: no record of its end will come.
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
