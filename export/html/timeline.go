package html

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// timeline is what the picture of a session shows: a lane a run, in the order in
// which they were spawned, over one axis. It is gathered in one pass over the
// records and holds a bounded number of marks a run, whatever the log's length.
type timeline struct {
	axis  axis
	lanes []*lane
	of    map[lifecycle.RunID]*lane
	diffs callDiffs
}

// fewMarks is how many marks a lane has at least: more than there are kinds.
const fewMarks = 18

// newTimeline reads the records of the book once.
func newTimeline(ctx context.Context, b *book.Book) (*timeline, error) {
	t := &timeline{axis: newAxis(b.Runs, b.At), of: map[lifecycle.RunID]*lane{}, diffs: newCallDiffs()}
	for i := range b.Runs {
		run := &b.Runs[i]
		l := &lane{run: run, home: anchor(b, run.ID)}
		t.lanes = append(t.lanes, l)
		t.of[run.ID] = l
	}
	var spans lifecycle.Spans
	err := b.Source.Each(ctx, b.Root, b.Upto, func(rec lifecycle.Record) error {
		if ended, is := rec.Event.(lifecycle.ToolEnded); is {
			t.diffs.note(rec.Session, ended)
		}
		spans.Note(rec, func(s lifecycle.Span) { t.take(b, s) })
		return nil
	})
	var under []lifecycle.Span
	spans.Open(func(s lifecycle.Span) { under = append(under, s) })
	slices.SortStableFunc(under, func(x, y lifecycle.Span) int { // runs come in no order, and the same record number gives the same bytes
		return cmp.Or(cmp.Compare(b.Index[x.Run], b.Index[y.Run]), x.From.Compare(y.From))
	})
	for _, s := range under {
		t.take(b, lanes.Until(s, b.At))
	}
	return t, err
}

func (t *timeline) take(b *book.Book, s lifecycle.Span) {
	l, known := t.of[s.Run]
	m := lanes.MarkOf(s)
	if !known || classOf(&m) == "" {
		return
	}
	text := labelOf(s)
	if s.Kind == lifecycle.SpanTold {
		text = "delivered the end of " + b.Name(s.Of)
	}
	m.Label = label(b, text)
	l.Add(m, lanes.Room(len(t.lanes), fewMarks))
}

// label is what a mark says, as the picture shows it: the rest is not held.
func label(b *book.Book, text string) string {
	if len(text) <= book.LongLine {
		return text
	}
	return strings.Clone(words.CutLine(b.Readable(text), book.LongLine))
}
