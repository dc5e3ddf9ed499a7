package otel

import (
	"encoding/json"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"pawl/internal/words"
	"pawl/lifecycle"
)

func (t *tree) over(done lifecycle.Span) {
	r := t.runs[done.Run]
	if r == nil {
		return // a run from before Start is not sent
	}
	switch done.Kind {
	case lifecycle.SpanModel:
		t.request(r, done)
	case lifecycle.SpanTool:
		t.call(r, done)
	case lifecycle.SpanQueued:
		if r.line {
			t.emit(t.stretch(r, done, "queued"))
		}
	case lifecycle.SpanWaiting:
		t.waiting(r, done)
	case lifecycle.SpanQuestion:
		t.question(r, done)
	case lifecycle.SpanStep, lifecycle.SpanEnd: // the spans in it and the run's own say it
	case lifecycle.SpanTold:
		if of, ok := t.known[done.Of]; ok {
			r.told[done.Step] = append(r.told[done.Step], linkTo(of, "told_of"))
		}
		t.moment(r, done)
	case lifecycle.SpanMessage, lifecycle.SpanCompact, lifecycle.SpanPlaced, lifecycle.SpanDetached, lifecycle.SpanOverdue,
		lifecycle.SpanNudged, lifecycle.SpanWarned, lifecycle.SpanDenied, lifecycle.SpanStop,
		lifecycle.SpanLanded, lifecycle.SpanRewound: // these after its end have no span to stand on
		t.moment(r, done)
	}
}

// stretch is the span of something that took time, below its run.
func (t *tree) stretch(r *running, done lifecycle.Span, name string) span {
	s := span{tracetest.SpanStub{
		SpanContext: r.span.SpanContext.WithSpanID(spanOfStretch(done.Kind, r.ID, done.Seq)), Parent: r.span.SpanContext,
		Name: name, SpanKind: trace.SpanKindInternal, StartTime: done.From, EndTime: done.To,
	}}
	t.whose(&s, r.Run)
	if done.Step > 0 {
		s.add(keyStep, int64(done.Step))
	}
	return s
}

func (t *tree) request(r *running, done lifecycle.Span) {
	_, name := providerAndName(r.Model)
	s := t.stretch(r, done, "chat "+t.hidden(name))
	s.SpanKind = trace.SpanKindClient
	s.add(keyOperation, "chat")
	t.model(&s, r.Run)
	if u, is := done.Done.(lifecycle.UsageReported); is {
		usage(&s, u.Usage)
		s.add(keyAnswerModel, t.hidden(u.Model))
		s.add(keyAnswerID, t.hidden(u.ID))
		if u.Effort != "" {
			s.add(keyEffort, t.hidden(u.Effort))
		}
		if u.Fallback != "" {
			s.add(keyFallback, t.hidden(u.Fallback))
		}
		if u.Finish != "" {
			s.add(keyFinish, []string{t.hidden(u.Finish)})
		}
	} else {
		t.broken(&s, done)
	}
	s.Links = r.told[done.Step]
	delete(r.told, done.Step)
	if t.Config.Content && r.TextStep == done.Step {
		s.add(keyOutput, t.content("assistant", r.Partial))
	}
	t.emit(s)
}

// broken marks a span that was cut off by the end of its run or of Pawl.
func (t *tree) broken(s *span, done lifecycle.Span) {
	switch e := done.Done.(type) {
	case nil:
		s.fail(string(lifecycle.StateInterrupted), "Pawl ended while it was under way")
	case lifecycle.Ended:
		t.verdict(s, lifecycle.Run{State: e.State, Error: e.Error})
	default:
	}
}

func (t *tree) call(r *running, done lifecycle.Span) {
	begun, is := done.Begun.(lifecycle.ToolStarted)
	if !is {
		return
	}
	s := t.stretch(r, done, "execute_tool "+t.hidden(begun.Tool))
	s.SpanContext = s.SpanContext.WithSpanID(spanOfCall(r.ID, begun.Call))
	s.add(keyOperation, "execute_tool")
	s.add(keyToolName, t.hidden(begun.Tool))
	s.add(keyToolCall, t.hidden(string(begun.Call)))
	s.add(keyToolType, "function")
	if t.Config.Content && json.Valid(begun.Input) {
		s.add(keyToolArguments, words.CutBytes(string(t.Hide.JSON(nil, begun.Input)), longest))
	}
	if end, is := done.Done.(lifecycle.ToolEnded); is {
		s.add(keyToolStatus, string(end.Status))
		switch end.Status {
		case lifecycle.ToolError, lifecycle.ToolDenied:
			s.fail(string(end.Status), "")
		case lifecycle.ToolOK, lifecycle.ToolCanceled:
		}
	} else {
		t.broken(&s, done)
	}
	t.emit(s)
}

func (t *tree) waiting(r *running, done lifecycle.Span) {
	s := t.stretch(r, done, "waiting")
	if e, is := done.Begun.(lifecycle.Waiting); is {
		s.add(keyWhy, t.hidden(e.Why))
		s.add(keyAttempt, int64(e.Attempt))
	}
	t.emit(s)
}

// question is the span of a question to a person, below the call it is about.
func (t *tree) question(r *running, done lifecycle.Span) {
	s := t.stretch(r, done, "permission")
	if asked, is := done.Begun.(lifecycle.PermissionAsked); is {
		s.SpanContext = s.SpanContext.WithSpanID(spanOf(string(done.Kind), string(r.ID), string(asked.ID)))
		if asked.Call != "" {
			s.below(spanOfCall(r.ID, asked.Call))
		}
		s.add(keyToolName, t.hidden(asked.Tool))
		if t.Config.Content {
			s.add(keySubject, t.hidden(asked.Subject))
		}
	}
	switch e := done.Done.(type) {
	case lifecycle.PermissionGranted:
		s.add(keyAnswer, "granted")
		s.add(keyBy, string(e.By))
	case lifecycle.PermissionDenied:
		s.add(keyAnswer, "denied")
		s.add(keyBy, string(e.By))
	default:
		s.add(keyAnswer, "none")
	}
	t.emit(s)
}
