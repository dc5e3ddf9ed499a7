package export

import (
	"context"
	"time"

	"pawl/lifecycle"
)

// timeline is what the picture of a session shows: a lane a run, in the order in
// which they were spawned, over one axis. It is gathered in one pass over the
// records and holds a bounded number of marks a run, whatever the log's length.
type timeline struct {
	axis  axis
	lanes []*lane
	of    map[lifecycle.RunID]*lane
	diffs changes
}

// How many marks all lanes have together, and how many one has at least and at
// most. Beyond that, marks of one kind that stand close are joined.
const (
	allMarks  = 24_000
	fewMarks  = 32 // more than there are kinds
	manyMarks = 400
)

// timeline reads the records of the book once.
func (b *book) timeline(ctx context.Context) (*timeline, error) {
	t := &timeline{axis: newAxis(b.runs, b.at), of: map[lifecycle.RunID]*lane{}, diffs: newChanges()}
	limit := manyMarks
	if n := len(b.runs); n > 0 {
		limit = min(max(fewMarks, allMarks/n), manyMarks)
	}
	for _, run := range b.runs {
		l := newLane(run, b.anchor(run.ID), limit)
		t.lanes = append(t.lanes, l)
		t.of[run.ID] = l
	}
	err := b.src.each(ctx, b.root, b.upto, func(rec lifecycle.Record) error {
		t.note(b, rec)
		return nil
	})
	for _, l := range t.lanes {
		l.close(l.end(b.at))
	}
	return t, err
}

// note takes in one record.
func (t *timeline) note(b *book, rec lifecycle.Record) {
	if told, is := rec.Event.(lifecycle.NotificationDelivered); is {
		in, known := t.of[told.InRun]
		if !known {
			in, known = t.of[rec.Run]
		}
		if known {
			of := b.index[rec.Run]
			in.add(mark{kind: markTold, from: rec.Time, to: rec.Time, label: "told of the end of " + b.name(rec.Run), anchor: toldAnchor(of), of: of})
		}
		return
	}
	if ended, is := rec.Event.(lifecycle.ToolEnded); is {
		t.diffs.note(rec.Session, ended)
	}
	if l, known := t.of[rec.Run]; known {
		l.note(rec)
	}
}

// joined reports whether some marks of the picture stand for several.
func (t *timeline) joined() bool {
	for _, l := range t.lanes {
		if l.grain > 0 {
			return true
		}
	}
	return false
}

// end is when a run ended, or how far the export reaches.
func (l *lane) end(at time.Time) time.Time { return l.run.SpawnedAt.Add(l.run.Elapsed(at)) }
