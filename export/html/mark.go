package html

import "time"

// mark is something that a lane shows: a stretch of time, or a moment.
type mark struct {
	kind     markKind
	from, to time.Time // of a moment both are the same
	label    string    // what it is, raw
	anchor   string    // its place in the transcripts
	more     int       // marks that were joined to this one
	of       int       // of markTold: the index of the run that ended
}

// markKind says what a mark is. The value is its class in the picture.
type markKind string

// The kinds of mark, stretches first.
const (
	markModel    markKind = "model"    // a request to the model is under way
	markTool     markKind = "tool"     // a tool works
	markFaulty   markKind = "faulty"   // a tool that ended with an error
	markQuestion markKind = "question" // a person is asked
	markRetry    markKind = "retry"    // the model's server is waited for

	markMessage  markKind = "message"  // a message was taken in
	markTold     markKind = "told"     // the parent was told of an end
	markCompact  markKind = "compact"  // the transcript was summed up
	markDetached markKind = "detached" // a person sent it to the background
	markWarning  markKind = "warning"  // a warning, a nudge, overdue
	markDenied   markKind = "denied"   // a call was refused
	markStop     markKind = "stop"     // somebody asked for its end
	markEnd      markKind = "end"      // it ended
)

// markKinds lists them in the order in which they are drawn.
func markKinds() []markKind {
	return []markKind{
		markModel, markTool, markFaulty, markQuestion, markRetry,
		markMessage, markTold, markCompact, markDetached, markWarning, markDenied, markStop, markEnd,
	}
}

// spans reports whether marks of this kind are stretches of time.
func (k markKind) spans() bool {
	switch k {
	case markModel, markTool, markFaulty, markQuestion, markRetry:
		return true
	case markMessage, markTold, markCompact, markDetached, markWarning, markDenied, markStop, markEnd:
		return false
	}
	return false
}
