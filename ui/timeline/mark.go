package timeline

import (
	"fmt"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// noQueue is how long a run may wait even for a free slot: less is not shown as waiting.
const noQueue = 100 * time.Millisecond

// LabelKept limits a label, in bytes: two lines of a wide terminal.
const LabelKept = 300

// markOf is the mark of a span. A step is shown by its model and tools, not by itself.
func markOf(s lifecycle.Span) (m Mark, shown bool) {
	m = Mark{Kind: s.Kind, Seq: s.Seq, From: s.From, To: s.To, took: s.To.Sub(s.From), Step: s.Step, Of: s.Of}
	var parts []string
	switch s.Kind {
	case lifecycle.SpanStep:
		return m, false
	case lifecycle.SpanQueued:
		return m, m.took >= noQueue
	case lifecycle.SpanModel, lifecycle.SpanTold, lifecycle.SpanDetached, lifecycle.SpanNudged: // their kind says it
	case lifecycle.SpanTool, lifecycle.SpanQuestion:
		m.faulty, parts = callParts(s)
	case lifecycle.SpanWaiting, lifecycle.SpanMessage, lifecycle.SpanCompact, lifecycle.SpanOverdue,
		lifecycle.SpanWarned, lifecycle.SpanDenied, lifecycle.SpanStop, lifecycle.SpanEnd:
		parts = momentParts(s.Begun)
	}
	if e, is := s.Begun.(lifecycle.Ended); is {
		m.state, m.cause = e.State, e.Cause
	}
	m.Label = bounded(parts)
	return m, true
}

// callParts returns the words for a tool call, or a question about it, and whether it ended with
// an error.
func callParts(s lifecycle.Span) (faulty bool, parts []string) {
	switch e := s.Begun.(type) { // the two events that begin such spans
	case lifecycle.ToolStarted:
		parts = []string{e.Tool + " " + e.Label}
	case lifecycle.PermissionAsked:
		parts = []string{e.Tool + " " + e.Subject}
	default:
	}
	switch e := s.Done.(type) { // other events end them too, without details
	case lifecycle.ToolEnded:
		return e.Status == lifecycle.ToolError, append(parts, string(e.Status))
	case lifecycle.PermissionGranted:
		return false, append(parts, "yes, by "+string(wording.Decider(e.By)))
	case lifecycle.PermissionDenied:
		return false, append(parts, "no, by "+string(wording.Decider(e.By)), e.Reason)
	default:
		return false, parts
	}
}

// momentParts returns the words of an event that say more than its kind.
func momentParts(event lifecycle.Event) []string {
	switch e := event.(type) { // the others are not moments
	case lifecycle.Waiting:
		return []string{e.Why}
	case lifecycle.MessageTaken:
		return []string{"from " + e.From, e.Text}
	case lifecycle.Compacted:
		return []string{fmt.Sprintf("%s tokens to %s", draw.Tokens(e.Before), draw.Tokens(e.After))}
	case lifecycle.Overdue:
		return []string{"after " + words.Exact(e.After)}
	case lifecycle.Warned:
		return []string{strings.ReplaceAll(string(e.Kind), "_", " "), e.Message}
	case lifecycle.PermissionDenied:
		return []string{e.Tool + " " + e.Subject, "by " + string(wording.Decider(e.By)), e.Reason}
	case lifecycle.StopRequested:
		return []string{e.Cause.Words(lifecycle.ForCard), e.Reason}
	case lifecycle.Ended:
		parts := []string{e.Reason}
		if e.Error != nil {
			parts = append(parts, e.Error.Kind.Words(), e.Error.Message)
		}
		return parts
	default:
		return nil
	}
}

// bounded joins the parts that are not empty, cut to LabelKept.
func bounded(parts []string) string {
	var b strings.Builder
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(part[:min(len(part), LabelKept)])
		if b.Len() > LabelKept {
			break
		}
	}
	text := b.String()
	return strings.ToValidUTF8(text[:min(len(text), LabelKept)], "")
}
