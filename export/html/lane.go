package html

import (
	"fmt"
	"math"
	"slices"
	"time"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// lane is one run on the timeline.
type lane struct {
	run   *lifecycle.Run // as the book has it
	home  string         // its anchor
	marks map[markKind][]mark
	kept  int
	limit int
	say   func(label string) string // what is kept of a label
	grain time.Duration             // marks of one kind that are no farther apart were joined
}

func newLane(run *lifecycle.Run, home string, limit int, say func(string) string) *lane {
	return &lane{run: run, home: home, limit: limit, say: say, marks: map[markKind][]mark{}}
}

// take draws a span of the run that is over.
func (l *lane) take(s lifecycle.Span) {
	draw := func(kind markKind, anchor string, words ...string) {
		l.add(mark{kind: kind, from: s.From, to: s.To, label: book.Joined(words...), anchor: anchor})
	}
	here := l.place(s.Step)
	switch e := s.Begun.(type) { //nolint:gochecksumtype // the others begin no span that is drawn
	case lifecycle.StepStarted:
		if s.Kind == lifecycle.SpanModel { // the step itself is its model and its tools
			draw(markModel, here, fmt.Sprintf("the model, step %d", e.Step))
		}
	case lifecycle.Waiting:
		draw(markRetry, here, e.Why)
	case lifecycle.ToolStarted:
		kind, came := markTool, ""
		if end, is := s.Done.(lifecycle.ToolEnded); is {
			if came = string(end.Status); end.Status == lifecycle.ToolError {
				kind = markFaulty
			}
		}
		draw(kind, callAnchor(s.Session, e.Call), e.Tool, e.Label, came)
	case lifecycle.PermissionAsked:
		draw(markQuestion, callAnchor(s.Session, e.Call), "a question", e.Tool, e.Subject)
	case lifecycle.PermissionDenied:
		draw(markDenied, callAnchor(s.Session, e.Call), "denied", e.Tool, e.Subject, "by "+e.By)
	case lifecycle.MessageTaken:
		draw(markMessage, here, "a message from "+e.From, e.Text)
	case lifecycle.Warned:
		draw(markWarning, here, "warned", string(e.Kind), e.Message)
	case lifecycle.Nudged:
		draw(markWarning, here, "asked to report: it had ended without text")
	case lifecycle.Overdue:
		draw(markWarning, here, fmt.Sprintf("overdue after %s: the main agent stopped waiting", e.After))
	case lifecycle.Detached:
		draw(markDetached, here, "sent to the background")
	case lifecycle.Compacted:
		draw(markCompact, here, fmt.Sprintf("summarized: %s tokens to %s", words.Grouped(e.Before), words.Grouped(e.After)))
	case lifecycle.StopRequested:
		draw(markStop, here, "stop requested", e.Cause.Words(lifecycle.ForPage), e.Reason)
	case lifecycle.Ended:
		draw(markEnd, l.home, string(e.State), e.Cause.Words(lifecycle.ForPage), e.Reason)
	default: // the run itself has the times of its queue
	}
}

// place is where the transcripts have a step.
func (l *lane) place(step int) string {
	if step == 0 {
		return l.home
	}
	return stepAnchor(l.home, step)
}

// add keeps a mark, and makes room where there is none left.
func (l *lane) add(m mark) {
	m.label = l.say(m.label)
	l.marks[m.kind] = append(l.marks[m.kind], m)
	for l.kept++; l.kept > l.limit; {
		l.coarsen()
	}
}

// coarsen joins marks of one kind that stand close, at first a millisecond and
// each time twice as far.
func (l *lane) coarsen() {
	l.grain = max(time.Millisecond, l.grain+min(l.grain, math.MaxInt64-l.grain))
	l.kept = 0
	for kind, marks := range l.marks {
		slices.SortStableFunc(marks, earlier)
		last := 0
		for _, m := range marks[1:] {
			before := &marks[last]
			if m.from.Sub(before.to) > l.grain {
				last++
				marks[last] = m
				continue
			}
			before.more += 1 + m.more
			before.label = "" // it speaks for several
			if m.to.After(before.to) {
				before.to = m.to
			}
		}
		l.marks[kind] = slices.Clone(marks[:last+1]) // the rest, and its texts, are free
		l.kept += last + 1
	}
}

func earlier(a, b mark) int {
	if by := a.from.Compare(b.from); by != 0 {
		return by
	}
	if a.label < b.label {
		return -1
	}
	if a.label > b.label {
		return 1
	}
	return 0
}

// end is when the run ended, or how far the export reaches.
func (l *lane) end(at time.Time) time.Time { return l.run.SpawnedAt.Add(l.run.Elapsed(at)) }
