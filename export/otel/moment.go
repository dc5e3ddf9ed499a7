package otel

import (
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"pawl/lifecycle"
)

// moment adds something that happened to the span of its run.
func (t *tree) moment(r *running, done lifecycle.Span) {
	if len(r.span.Events) == mostEvents {
		r.span.DroppedEvents++
		return
	}
	e := sdk.Event{Name: "pawl." + string(done.Kind), Time: done.From, Attributes: t.facts(done)}
	if done.Step > 0 {
		e.Attributes = append(e.Attributes, attribute.Int(keyStep, done.Step))
	}
	r.span.Events = append(r.span.Events, e)
}

// facts are the attributes of a moment. Texts by people and models are content.
func (t *tree) facts(done lifecycle.Span) (facts []attribute.KeyValue) {
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, attribute.String(key, t.hidden(value)))
		}
	}
	content := func(key, value string) {
		if t.Config.Content {
			add(key, value)
		}
	}
	switch e := done.Begun.(type) {
	case lifecycle.Warned:
		add(keyKind, string(e.Kind))
		content(keyText, e.Message)
	case lifecycle.PermissionDenied:
		add(keyToolName, e.Tool)
		add(keyToolCall, string(e.Call))
		add(keyBy, string(e.By))
		content(keySubject, e.Subject)
		content(keyText, e.Reason)
	case lifecycle.StopRequested:
		add(keyCause, string(e.Cause))
		content(keyText, e.Reason)
	case lifecycle.NotificationDelivered:
		add(keyRun, string(done.Of))
	case lifecycle.MessageTaken:
		add(keyBy, e.From)
		content(keyText, e.Text)
	case lifecycle.Compacted:
		facts = append(facts, attribute.Int64("pawl.tokens_before", e.Before), attribute.Int64("pawl.tokens_after", e.After))
	case lifecycle.Placed:
		add(keyWorker, e.Worker)
		add(keyMachine, e.Machine)
		facts = append(facts, attribute.Int(keyAttempt, e.Attempt))
	case lifecycle.Landed:
		facts = append(facts, attribute.Int(keyFiles, len(e.Files)), attribute.Int(keyLeft, len(e.Left)))
	case lifecycle.Rewound:
		facts = append(facts, attribute.Int(keyFiles, len(e.Files)), attribute.Int(keyLeft, len(e.Skipped)), attribute.Bool("pawl.conversation", e.Conversation))
		content(keyText, e.Prompt)
	case lifecycle.Overdue, lifecycle.Detached, lifecycle.Nudged:
	default:
	}
	return facts
}
