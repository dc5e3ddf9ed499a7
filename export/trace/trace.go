package trace

import (
	"context"
	"io"
	"slices"
	"time"

	"pawl/export/book"
	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

// Write writes a root session, as it stood when record upto was the newest, as a file of
// Chrome's trace events, for Perfetto and chrome://tracing: a process for each session, a thread
// for each run, nested slices for what the run did, and arrows from what started, ended or
// stopped something to where that was delivered. Times are microseconds since the first record;
// events in the same microsecond on one thread are moved one apart, in order. An error leaves
// the file unfinished.
func Write(ctx context.Context, w io.Writer, src book.Source, root lifecycle.SessionID, upto lifecycle.Seq) error {
	b, err := book.Open(ctx, src, root, upto)
	if err != nil {
		return err
	}
	t := &tracer{
		Book: b, out: jsondoc.NewWriter(w, b.Mask),
		tracks: map[lifecycle.RunID]*track{}, undelivered: map[lifecycle.RunID]arrow{}, alive: map[lifecycle.RunID]lifecycle.State{},
	}
	if len(b.Runs) > 0 { // the first record spawned the first run
		t.start = b.Runs[0].SpawnedAt
	}
	t.out.Text("{") // readers expect the metadata before the events
	t.out.Member("displayTimeUnit", "ms")
	t.out.Member("otherData", t.otherData())
	t.out.List("traceEvents")
	t.nameTracks()
	if err := b.Source.Each(ctx, root, upto, t.note); err != nil {
		return err
	}
	t.underWay()
	t.out.EndList()
	t.out.Text("\n}\n")
	return t.out.Flush()
}

// tracer writes a trace. It holds what is in progress, and nothing that is over.
type tracer struct {
	*book.Book
	out         *jsondoc.Writer
	spans       lifecycle.Spans
	over        []lifecycle.Span // spans that ended with the current record
	start       time.Time        // the time of the first record
	clock       time.Time        // time of the current record, never before the previous one's
	now         int64            // clock in microseconds since start
	at          int64            // when the current event happened: now, or when a run that was found dead was last heard of
	tracks      map[lifecycle.RunID]*track
	newest      int                       // id of the newest thread
	arrows      int                       // number of arrows
	undelivered map[lifecycle.RunID]arrow // arrows from the ends of runs that are not delivered yet

	queued, running int // runs
	alive           map[lifecycle.RunID]lifecycle.State
	spent           lifecycle.Usage
}

func (t *tracer) note(rec lifecycle.Record) error {
	rec.Time = t.tick(rec.Time)
	of, known := t.tracks[rec.Run]
	if !known {
		return nil
	}
	t.over = t.over[:0]
	t.spans.Note(rec, func(s lifecycle.Span) { t.over = append(t.over, s) })
	t.backdate(rec)
	if e, is := rec.Event.(lifecycle.Spawned); is {
		t.spawned(of, rec.Seq, e)
	}
	for _, s := range slices.Backward(t.over) { // what began last is innermost
		if stretches(s.Kind) {
			t.end(of, s, rec.Seq)
		}
	}
	t.spans.Begun(rec.Run, func(s lifecycle.Span) { t.begin(of, s, rec.Seq) })
	for _, s := range t.over {
		if !stretches(s.Kind) {
			t.moment(s, rec.Seq)
		}
	}
	clear(t.over) // free what their events hold
	t.count(rec)
	if rec.Seq%book.PageSize == 0 {
		return t.out.Flush()
	}
	return nil
}

// tick sets the clock to a record and returns its time. Records are in the order of events; if a
// clock was set back, time stands still until it has caught up.
func (t *tracer) tick(at time.Time) time.Time {
	if at.After(t.clock) {
		t.clock = at
	}
	t.now = max(0, t.clock.Sub(t.start).Microseconds())
	t.at = t.now
	return t.clock
}

// backdate moves the end of a run that was found dead back to its last sign of life.
func (t *tracer) backdate(rec lifecycle.Record) {
	if e, is := rec.Event.(lifecycle.Ended); is && e.Found {
		last := t.over[len(t.over)-1] // the end itself
		t.at = last.From.Sub(t.start).Microseconds()
	}
}

// underWay ends what the last record leaves open.
func (t *tracer) underWay() {
	t.at = t.now
	for _, run := range t.Runs {
		for _, on := range t.tracks[run.ID].threads {
			for len(on.open) > 0 {
				t.pop(on, facts{"under_way": true})
			}
		}
	}
}

func (t *tracer) otherData() facts {
	s := t.Facts()
	return facts{
		"pawl": t.Source.Version, "session": t.line(string(s.ID)), "title": t.line(s.Title), "folder": t.line(s.Folder),
		"model": t.line(s.Model), "records": t.Upto, "started": book.Stamp(t.start),
	}
}

// stretches reports whether spans of a kind have a duration; the others are moments.
func stretches(kind lifecycle.SpanKind) bool {
	switch kind {
	case lifecycle.SpanQueued, lifecycle.SpanStep, lifecycle.SpanModel, lifecycle.SpanWaiting, lifecycle.SpanTool, lifecycle.SpanQuestion:
		return true
	case lifecycle.SpanMessage, lifecycle.SpanTold, lifecycle.SpanCompact, lifecycle.SpanPlaced, lifecycle.SpanDetached, lifecycle.SpanOverdue,
		lifecycle.SpanNudged, lifecycle.SpanWarned, lifecycle.SpanDenied, lifecycle.SpanStop, lifecycle.SpanLanded, lifecycle.SpanRewound, lifecycle.SpanEnd:
		return false
	}
	return false
}
