package export

import (
	"fmt"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

// lane is one run on the timeline. It is fed the records of its run in order.
type lane struct {
	run   lifecycle.Run // as the book has it
	home  string        // its anchor
	step  int           // the newest step
	marks map[markKind][]mark
	kept  int
	limit int
	grain time.Duration // marks of one kind that are no farther apart were joined

	model, retry *mark // under way
	tools        map[lifecycle.CallID]mark
	asked        map[lifecycle.QuestionID]mark
}

func newLane(run lifecycle.Run, home string, limit int) *lane {
	return &lane{
		run: run, home: home, limit: limit, marks: map[markKind][]mark{},
		tools: map[lifecycle.CallID]mark{}, asked: map[lifecycle.QuestionID]mark{},
	}
}

// note takes in one record of the run.
func (l *lane) note(rec lifecycle.Record) {
	at := rec.Time
	switch e := rec.Event.(type) {
	case lifecycle.StepStarted:
		l.rest(at)
		l.step = e.Step
		l.model = &mark{kind: markModel, from: at, label: fmt.Sprintf("the model, step %d", e.Step), anchor: l.place()}
	case lifecycle.Waiting:
		l.shut(&l.retry, at)
		l.retry = &mark{kind: markRetry, from: at, label: e.Why, anchor: l.place()}
	case lifecycle.Text, lifecycle.Thinking:
		l.shut(&l.retry, at)
	case lifecycle.UsageReported:
		l.shut(&l.model, at)
	case lifecycle.ToolStarted:
		l.rest(at)
		l.tools[e.Call] = mark{kind: markTool, from: at, label: listed(e.Tool, e.Label), anchor: callAnchor(l.run.Session, e.Call)}
	case lifecycle.ToolEnded:
		l.toolEnded(e, at)
	case lifecycle.PermissionAsked:
		l.asked[e.ID] = mark{kind: markQuestion, from: at, label: listed("a question", e.Tool, e.Subject), anchor: callAnchor(l.run.Session, e.Call)}
	case lifecycle.PermissionGranted:
		l.answered(e.Question, at)
	case lifecycle.PermissionDenied:
		l.answered(e.Question, at)
		l.moment(markDenied, at, listed("denied", e.Tool, e.Subject, "by "+e.By), callAnchor(l.run.Session, e.Call))
	case lifecycle.MessageTaken:
		l.moment(markMessage, at, listed("a message from "+e.From, e.Text), l.place())
	case lifecycle.Warned:
		l.moment(markWarning, at, listed("warned", string(e.Kind), e.Message), l.place())
	case lifecycle.Nudged:
		l.moment(markWarning, at, "nudged: it had ended without a text", l.place())
	case lifecycle.Overdue:
		l.moment(markWarning, at, fmt.Sprintf("overdue after %s: its parent went on", e.After), l.place())
	case lifecycle.Detached:
		l.moment(markDetached, at, "sent to the background", l.place())
	case lifecycle.Compacted:
		l.moment(markCompact, at, fmt.Sprintf("summed up: %s tokens to %s", number(e.Before), number(e.After)), l.place())
	case lifecycle.StopRequested:
		l.moment(markStop, at, listed("stop asked for", wish(e.Cause), e.Reason), l.place())
	case lifecycle.Ended:
		at = l.end(at) // of one that was found dead, when it was last heard of
		l.close(at)
		l.moment(markEnd, at, listed(string(e.State), wish(e.Cause), e.Reason), l.home)
	case lifecycle.Spawned, lifecycle.Queued, lifecycle.Started, // the run itself has these times
		lifecycle.MessageQueued, lifecycle.MessageEdited, lifecycle.MessageMoved, lifecycle.MessageWithdrawn,
		lifecycle.NotificationQueued, lifecycle.NotificationWithdrawn, lifecycle.Consumed,
		lifecycle.NotificationDelivered: // in the lane of who was told
	}
}

// place is where the transcripts have the step that is open.
func (l *lane) place() string {
	if l.step == 0 {
		return l.home
	}
	return stepAnchor(l.home, l.step)
}

func (l *lane) moment(kind markKind, at time.Time, label, anchor string) {
	l.add(mark{kind: kind, from: at, to: at, label: label, anchor: anchor})
}

func (l *lane) toolEnded(e lifecycle.ToolEnded, at time.Time) {
	open, is := l.tools[e.Call]
	if !is {
		return
	}
	delete(l.tools, e.Call)
	if e.Status == lifecycle.ToolError {
		open.kind = markFaulty
	}
	open.to, open.label = at, listed(open.label, string(e.Status))
	l.add(open)
}

func (l *lane) answered(id lifecycle.QuestionID, at time.Time) {
	if open, is := l.asked[id]; is {
		delete(l.asked, id)
		open.to = at
		l.add(open)
	}
}

// shut ends a mark that is under way.
func (l *lane) shut(open **mark, at time.Time) {
	if *open != nil {
		(*open).to = at
		l.add(**open)
		*open = nil
	}
}

// rest ends what the model does.
func (l *lane) rest(at time.Time) {
	l.shut(&l.model, at)
	l.shut(&l.retry, at)
}

// close ends everything that is under way.
func (l *lane) close(at time.Time) {
	l.rest(at)
	var open []mark
	for _, m := range l.tools {
		open = append(open, m)
	}
	for _, m := range l.asked {
		open = append(open, m)
	}
	slices.SortFunc(open, earlier) // a map has no order, and the same record number gives the same bytes
	for _, m := range open {
		m.to = at
		l.add(m)
	}
	clear(l.tools)
	clear(l.asked)
}

// add keeps a mark, and makes room where there is none left.
func (l *lane) add(m mark) {
	if m.to.Before(m.from) { // a clock was put back
		m.to = m.from
	}
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
			if m.to.After(before.to) {
				before.to = m.to
			}
		}
		clear(marks[last+1:]) // their texts are free
		l.marks[kind] = marks[:last+1]
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
