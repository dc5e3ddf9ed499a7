package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// noQueue is how long a run waits for a slot that is free: less is no queue.
const noQueue = 100 * time.Millisecond

// LabelKept is how much of a label the timeline keeps, in bytes: two lines of a wide
// terminal.
const LabelKept = 300

// waitingTools do nothing themselves: while they are under way other runs work, and a lane
// that showed them as work would be heaviest where its session waits.
var waitingTools = []string{"agent", "agent_output", "shell_output"}

// awaits reports whether a mark is a call that waits for other runs.
func awaits(m *lanes.Mark) bool { return m.Kind == lifecycle.SpanWaiting && m.Call != "" }

// markOf is what the timeline shows of a span. A step is its model and its tools, and
// is not shown itself.
func markOf(s lifecycle.Span) (m lanes.Mark, shown bool) {
	m = lanes.MarkOf(s)
	var parts []string
	switch s.Kind {
	case lifecycle.SpanStep:
		return m, false
	case lifecycle.SpanQueued:
		return m, m.Took >= noQueue
	case lifecycle.SpanModel, lifecycle.SpanTold, lifecycle.SpanDetached, lifecycle.SpanNudged: // their kind says it
	case lifecycle.SpanTool, lifecycle.SpanQuestion:
		parts = callParts(s)
		if e, is := s.Begun.(lifecycle.ToolStarted); is && !m.Faulty && slices.Contains(waitingTools, e.Tool) {
			m.Kind = lifecycle.SpanWaiting
		}
	case lifecycle.SpanWaiting, lifecycle.SpanMessage, lifecycle.SpanCompact, lifecycle.SpanPlaced, lifecycle.SpanOverdue,
		lifecycle.SpanWarned, lifecycle.SpanDenied, lifecycle.SpanStop, lifecycle.SpanLanded, lifecycle.SpanRewound, lifecycle.SpanEnd:
		parts = momentParts(s.Begun)
	}
	m.Label = bounded(parts)
	return m, true
}

// callParts are the words on a tool's work, or on a question about it.
func callParts(s lifecycle.Span) (parts []string) {
	switch e := s.Begun.(type) { // the two that begin such spans
	case lifecycle.ToolStarted:
		parts = []string{e.Tool + " " + e.Label}
	case lifecycle.PermissionAsked:
		parts = []string{e.Tool + " " + e.Subject}
	default:
	}
	switch e := s.Done.(type) { // all else ends them too, and says nothing of them
	case lifecycle.ToolEnded:
		return append(parts, string(e.Status))
	case lifecycle.PermissionGranted:
		return append(parts, "yes, by "+string(wording.Decider(e.By)))
	case lifecycle.PermissionDenied:
		return append(parts, "no, by "+string(wording.Decider(e.By)), e.Reason)
	default:
		return parts
	}
}

// momentParts are the words of an event that are worth more than its kind.
func momentParts(event lifecycle.Event) []string {
	switch e := event.(type) { // the others are no moments
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
	case lifecycle.Placed:
		return []string{e.Words()}
	case lifecycle.Landed:
		return []string{e.Words("")}
	case lifecycle.Rewound:
		return []string{e.Words()}
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

// bounded joins the parts that are not empty, cut to what a timeline keeps.
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
