package trace

import (
	"fmt"

	"pawl/lifecycle"
)

// spawned begins the slice of a run, and writes the arrow from the call that started it.
func (t *tracer) spawned(of *track, seq lifecycle.Seq, e lifecycle.Spawned) {
	from, _ := t.calling(e.ParentRun, e.Call)
	starts := t.beginArrow(from, "starts")
	isolation := e.Isolation
	if isolation == lifecycle.IsolationNone {
		isolation = ""
	}
	t.push(of.threads[0], slice{kind: sliceRun, event: traceEvent{Name: t.title(of.run), Facts: facts{
		"record": seq, "run": t.line(string(of.run.ID)), "session": t.line(string(of.run.Session)),
		"trigger": string(e.Trigger), "type": t.line(e.Type), "description": t.line(e.Description), "model": t.line(e.Model), "effort": t.line(e.Effort),
		"background": e.Background, "isolation": string(isolation), "call": t.line(string(e.Call)),
		"prompt": t.line(e.Prompt), "command": t.line(e.Command), "parent_run": t.line(string(e.ParentRun)),
	}.withoutEmpty()}})
	t.endArrow(of.threads[0], starts)
}

// calling is the thread on which a run's call is open, and its place there; nil if it is not
// open.
func (t *tracer) calling(id lifecycle.RunID, call lifecycle.CallID) (*thread, int) {
	of, known := t.tracks[id]
	if !known || call == "" {
		return nil, 0
	}
	return of.find(lifecycle.SpanTool, string(call))
}

func (t *tracer) begin(of *track, s lifecycle.Span, seq lifecycle.Seq) {
	name, call, says := t.opening(of, s)
	says["record"] = seq
	t.push(t.place(of, s.Kind, call), slice{kind: s.Kind, key: sliceKey(s), event: traceEvent{Name: name, Facts: says.withoutEmpty()}})
}

// sliceKey distinguishes spans of one kind that a run has at the same time.
func sliceKey(s lifecycle.Span) string {
	switch e := s.Begun.(type) {
	case lifecycle.ToolStarted:
		return string(e.Call)
	case lifecycle.PermissionAsked:
		return string(e.ID)
	default:
		return ""
	}
}

// opening is what is known of a span at its beginning: its name, the call it is about, and
// details.
func (t *tracer) opening(of *track, s lifecycle.Span) (name string, about lifecycle.CallID, says facts) {
	switch e := s.Begun.(type) {
	case lifecycle.StepStarted:
		if s.Kind == lifecycle.SpanModel {
			return "model", "", facts{"step": e.Step, "model": t.line(of.run.Model)}
		}
		return fmt.Sprintf("step %d", e.Step), "", facts{"step": e.Step}
	case lifecycle.Waiting:
		return "waiting", "", facts{
			"why": t.line(e.Why), "for_ms": e.For.Milliseconds(), "attempt": e.Attempt, "discarded": e.Discarded,
		}
	case lifecycle.ToolStarted:
		return t.label(e.Tool, e.Label), e.Call, facts{
			"tool": t.line(e.Tool), "label": t.line(e.Label), "call": t.line(string(e.Call)), "step": s.Step,
		}
	case lifecycle.PermissionAsked:
		return t.label("question", e.Tool), e.Call, facts{
			"question": t.line(string(e.ID)), "tool": t.line(e.Tool), "subject": t.line(e.Subject), "who": t.line(e.Who),
			"call": t.line(string(e.Call)),
		}
	default:
		return string(s.Kind), "", facts{}
	}
}

func (t *tracer) end(of *track, s lifecycle.Span, seq lifecycle.Seq) {
	on, at := of.find(s.Kind, sliceKey(s))
	if on == nil {
		return
	}
	says := t.closing(s)
	says["end_record"] = seq
	t.endSlice(on, at, says.withoutEmpty())
}

// closing is what the end of a span adds to its details.
func (t *tracer) closing(s lifecycle.Span) facts {
	switch e := s.Done.(type) {
	case lifecycle.UsageReported:
		if s.Kind == lifecycle.SpanModel {
			return facts{"usage": spending(e.Usage), "effort_sent": t.line(e.Effort), "fallback": t.line(e.Fallback)}
		}
	case lifecycle.ToolEnded:
		return facts{"status": string(e.Status)}
	case lifecycle.PermissionGranted:
		return facts{"answer": "granted", "by": t.line(string(e.By)), "scope": string(e.Scope)}
	case lifecycle.PermissionDenied:
		return facts{"answer": "denied", "by": t.line(string(e.By)), "reason": t.line(e.Reason)}
	case lifecycle.Ended:
		if s.Kind != lifecycle.SpanStep { // a step ends with its run
			return facts{"cut_off": string(e.State)}
		}
	default:
	}
	return facts{}
}
