package lifecycle

import (
	"slices"
	"time"
)

// Span is something that a run did, or that happened to it: a stretch of time, or a
// moment. It is a reading of the records that began and ended it; pictures, traces
// and telemetry are drawn from it.
type Span struct {
	Kind    SpanKind
	Run     RunID
	Session SessionID
	Seq     Seq // of the record that began it
	Step    int // the step that was open when it began; 0 before the first
	// From and To are the same of a moment. To is zero while a stretch is under way.
	From, To time.Time
	// Begun and Done are the events at its two ends: the same of a moment, and Done is
	// nil while it is under way.
	Begun, Done Event
	Of          RunID // of SpanTold: the run that ended
}

// SpanKind says what a span is.
type SpanKind string

// The kinds of span: stretches, then moments.
const (
	SpanQueued   SpanKind = "queued"   // it waits for a slot
	SpanStep     SpanKind = "step"     // a model request and the tools it asked for
	SpanModel    SpanKind = "model"    // a request to the model; one that broke and is made again is two
	SpanWaiting  SpanKind = "waiting"  // a retry, a rate limit, a silent stream
	SpanTool     SpanKind = "tool"     // a tool works
	SpanQuestion SpanKind = "question" // a person is asked

	SpanMessage  SpanKind = "message"  // a message was taken in
	SpanTold     SpanKind = "told"     // the run was told of the end of another
	SpanCompact  SpanKind = "compact"  // its transcript was summed up
	SpanPlaced   SpanKind = "placed"   // a worker on another machine has taken it
	SpanDetached SpanKind = "detached" // a person sent it to the background
	SpanOverdue  SpanKind = "overdue"  // its parent waits no longer
	SpanNudged   SpanKind = "nudged"   // it was asked for a text
	SpanWarned   SpanKind = "warned"
	SpanDenied   SpanKind = "denied"  // a call was refused
	SpanStop     SpanKind = "stop"    // somebody asked for its end
	SpanLanded   SpanKind = "landed"  // a person brought its changes into the folder
	SpanRewound  SpanKind = "rewound" // a person took files or the conversation back
	SpanEnd      SpanKind = "end"
)

// SpanKinds lists them, stretches first.
func SpanKinds() []SpanKind {
	return []SpanKind{
		SpanQueued, SpanStep, SpanModel, SpanWaiting, SpanTool, SpanQuestion,
		SpanMessage, SpanTold, SpanCompact, SpanPlaced, SpanDetached, SpanOverdue, SpanNudged, SpanWarned, SpanDenied, SpanStop,
		SpanLanded, SpanRewound, SpanEnd,
	}
}

// Spans reads the spans of a root session from its records, in order, as they come or
// long after. It keeps what is under way, and nothing of what is over. The zero value
// has read nothing. It belongs to one goroutine.
type Spans struct {
	runs map[RunID]*runSpans
}

// runSpans are the spans of one run that are under way.
type runSpans struct {
	session SessionID
	step    int
	heard   time.Time // its last sign of life
	open    []Span    // in the order in which they began
	begun   int       // how many of them the newest record began: the last ones
}

// Note takes in the next record and calls done with each span that is over with it: what
// it ended, in the order in which that began, and then what it is itself.
func (s *Spans) Note(rec Record, done func(Span)) {
	if s.runs == nil {
		s.runs = map[RunID]*runSpans{}
	}
	d := s.runs[rec.Run]
	if d == nil {
		d = &runSpans{session: rec.Session}
		s.runs[rec.Run] = d
	}
	if ofItsOwn(rec.Event) {
		d.heard = rec.Time
	}
	d.note(rec, done)
	switch e := rec.Event.(type) {
	case NotificationDelivered:
		told := Span{Kind: SpanTold, Run: rec.Run, Session: rec.Session, Seq: rec.Seq, Of: rec.Run, From: rec.Time, To: rec.Time, Begun: e, Done: e}
		if in := s.runs[e.InRun]; in != nil {
			told.Run, told.Session, told.Step = e.InRun, in.session, in.step
		}
		done(told)
	case Ended:
		d.open, d.begun = nil, 0 // it stays for what it is told of later, and is small
	default:
	}
}

// Begun gives what the record noted last began, in that order: of a step, it and then its
// request. The record is known by its run.
func (s *Spans) Begun(run RunID, begun func(Span)) {
	d := s.runs[run]
	if d == nil {
		return
	}
	for _, span := range d.open[len(d.open)-d.begun:] {
		begun(span)
	}
}

// Open gives what is under way, run by run in no order, in each in the order in which it
// began.
func (s *Spans) Open(each func(Span)) {
	for _, d := range s.runs {
		for _, span := range d.open {
			each(span)
		}
	}
}

// note reads one record of the run.
func (d *runSpans) note(rec Record, done func(Span)) {
	d.begun = 0
	switch e := rec.Event.(type) {
	case Spawned:
		d.begin(SpanQueued, rec)
	case Started:
		d.end(rec, done, SpanQueued)
	case StepStarted:
		d.end(rec, done, SpanModel, SpanWaiting, SpanStep)
		d.step = e.Step
		d.begin(SpanStep, rec)
		d.begin(SpanModel, rec)
	case Waiting:
		d.end(rec, done, SpanWaiting)
		d.askAgain(rec)
		d.begin(SpanWaiting, rec)
	case Text, Thinking, Searched:
		d.end(rec, done, SpanWaiting)
	case UsageReported: // the request was answered, or failed and is paid for
		d.end(rec, done, SpanModel, SpanWaiting)
	case ToolStarted:
		d.end(rec, done, SpanModel, SpanWaiting)
		d.begin(SpanTool, rec)
	case ToolEnded:
		d.endAll(rec, done, func(s Span) bool { t, is := s.Begun.(ToolStarted); return is && t.Call == e.Call })
	case PermissionAsked:
		d.begin(SpanQuestion, rec)
	case PermissionGranted:
		d.answered(rec, done, e.Question)
	case PermissionDenied:
		d.answered(rec, done, e.Question)
		d.moment(SpanDenied, rec, done)
	case MessageTaken:
		d.moment(SpanMessage, rec, done)
	case Compacted:
		d.moment(SpanCompact, rec, done)
	case Detached:
		d.moment(SpanDetached, rec, done)
	case Overdue:
		d.moment(SpanOverdue, rec, done)
	case Nudged:
		d.moment(SpanNudged, rec, done)
	case Warned:
		d.moment(SpanWarned, rec, done)
	case StopRequested:
		d.end(rec, done, SpanQuestion) // a run that is to end asks nothing more
		d.moment(SpanStop, rec, done)
	case Ended:
		if e.Found && !d.heard.IsZero() {
			rec.Time = d.heard // nobody worked on it after that
		}
		d.end(rec, done, SpanKinds()...)
		d.moment(SpanEnd, rec, done)
	case Placed: // another worker begins anew
		d.end(rec, done, SpanStep, SpanModel, SpanWaiting, SpanTool, SpanQuestion)
		d.moment(SpanPlaced, rec, done)
	case Landed:
		d.moment(SpanLanded, rec, done)
	case Rewound:
		d.moment(SpanRewound, rec, done)
	case Queued, FilesChanged, MessageQueued, MessageEdited, MessageMoved, MessageWithdrawn,
		NotificationQueued, NotificationDelivered, NotificationWithdrawn, Consumed: // nothing of the run's own time
	}
}

func (d *runSpans) span(kind SpanKind, rec Record) Span {
	return Span{Kind: kind, Run: rec.Run, Session: rec.Session, Seq: rec.Seq, Step: d.step, From: rec.Time, Begun: rec.Event}
}

func (d *runSpans) begin(kind SpanKind, rec Record) {
	d.open = append(d.open, d.span(kind, rec))
	d.begun++
}

// askAgain begins another span for the request to the model if the usage of a failed attempt
// has ended the last one: a step in which no tool works waits only for the model.
func (d *runSpans) askAgain(rec Record) {
	if d.step == 0 || slices.ContainsFunc(d.open, func(s Span) bool { return s.Kind == SpanModel || s.Kind == SpanTool }) {
		return
	}
	d.begin(SpanModel, rec)
	d.open[len(d.open)-1].Begun = StepStarted{Step: d.step}
}

func (d *runSpans) moment(kind SpanKind, rec Record, done func(Span)) {
	span := d.span(kind, rec)
	span.To, span.Done = span.From, span.Begun
	done(span)
}

// end ends all that is under way of some kinds.
func (d *runSpans) end(rec Record, done func(Span), kinds ...SpanKind) {
	d.endAll(rec, done, func(s Span) bool { return slices.Contains(kinds, s.Kind) })
}

func (d *runSpans) answered(rec Record, done func(Span), question QuestionID) {
	d.endAll(rec, done, func(s Span) bool {
		asked, is := s.Begun.(PermissionAsked)
		return is && question != "" && asked.ID == question
	})
}

func (d *runSpans) endAll(rec Record, done func(Span), which func(Span) bool) {
	kept := d.open[:0]
	for _, span := range d.open {
		if !which(span) {
			kept = append(kept, span)
			continue
		}
		span.To, span.Done = rec.Time, rec.Event
		if span.To.Before(span.From) { // a clock was put back
			span.To = span.From
		}
		done(span)
	}
	clear(d.open[len(kept):]) // what their events hold is free
	d.open = kept
}
