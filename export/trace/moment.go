package trace

import (
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// moment writes a span without duration, on the thread of its run.
func (t *tracer) moment(s lifecycle.Span, seq lifecycle.Seq) {
	of, known := t.tracks[s.Run]
	if !known {
		return
	}
	if s.Kind == lifecycle.SpanTold {
		t.told(of.threads[0], s, seq)
		return
	}
	name, says := t.momentDetails(s)
	says["record"] = seq
	t.put(of.threads[0], traceEvent{Name: name, Category: string(s.Kind), Phase: phaseInstant, Scope: scopeThread, Facts: says.withoutEmpty()})
	switch e := s.Begun.(type) {
	case lifecycle.StopRequested:
		t.stopped(of, e)
	case lifecycle.Ended:
		t.ended(of, e, seq)
	default:
	}
}

func (t *tracer) momentDetails(s lifecycle.Span) (name string, says facts) {
	switch e := s.Begun.(type) {
	case lifecycle.MessageTaken:
		return t.label("message", "from "+e.From), facts{"message": t.line(string(e.Message)), "text": t.line(e.Text), "step": e.Step}
	case lifecycle.Compacted:
		return "compacted", facts{"tokens_before": e.Before, "tokens_after": e.After}
	case lifecycle.Overdue:
		return "overdue", facts{"after_ms": e.After.Milliseconds()}
	case lifecycle.Warned:
		return t.label("warned", string(e.Kind)), facts{"message": t.line(e.Message)}
	case lifecycle.PermissionDenied:
		return t.label("denied", e.Tool), facts{
			"call": t.line(string(e.Call)), "subject": t.line(e.Subject), "by": t.line(string(e.By)), "reason": t.line(e.Reason),
		}
	case lifecycle.StopRequested:
		return t.label("stop requested", string(e.Cause)), facts{"cause": string(e.Cause), "reason": t.line(e.Reason)}
	case lifecycle.Placed:
		return t.label("placed", e.Machine), facts{
			"worker": t.line(e.Worker), "machine": t.line(e.Machine), "version": t.line(e.Version), "attempt": e.Attempt, "folder": t.line(e.Folder),
		}
	case lifecycle.Landed:
		return "landed", facts{"says": t.line(e.Words("")), "folder": t.line(e.Folder), "branch": t.line(e.Branch), "files": len(e.Files), "left": len(e.Left)}
	case lifecycle.Rewound:
		return "rewound", facts{"says": t.line(e.Words()), "to_record": e.To, "conversation": e.Conversation, "files": len(e.Files), "skipped": len(e.Skipped)}
	case lifecycle.Ended:
		return string(e.State), facts{"cause": string(e.Cause)}
	default:
		return string(s.Kind), facts{}
	}
}

// told writes where a run was told of the end of another: a slice of almost no duration, so that
// the arrow from there has somewhere to end.
func (t *tracer) told(on *thread, s lifecycle.Span, seq lifecycle.Seq) {
	t.push(on, slice{kind: s.Kind, event: traceEvent{Name: t.label("delivered the end of", t.Name(s.Of)), Facts: facts{
		"record": seq, "run": t.line(string(s.Of)), "step": s.Step,
	}.withoutEmpty()}})
	t.endArrow(on, t.undelivered[s.Of])
	delete(t.undelivered, s.Of)
	t.pop(on, nil)
}

// stopped writes the arrow from the call that stops a run, if the log has it: that call also
// took the run's result.
func (t *tracer) stopped(of *track, e lifecycle.StopRequested) {
	by := of.run.Consumed
	if e.Cause != lifecycle.CauseAgentStop || by == nil || by.By != lifecycle.ByAgentStop {
		return
	}
	from, _ := t.calling(by.InRun, by.Call)
	t.endArrow(of.threads[0], t.beginArrow(from, "stops"))
}

// ended ends the slice of a run, and begins the arrow to where its end will be delivered.
func (t *tracer) ended(of *track, e lifecycle.Ended, seq lifecycle.Seq) {
	on, at := of.find(sliceRun, "")
	if on == nil {
		return
	}
	if n := of.run.Notification; n != nil && t.tracks[n.InRun] != nil {
		t.undelivered[of.run.ID] = t.beginArrow(on, "tells")
	}
	t.endSlice(on, at, t.receiptFacts(of.run, e, seq))
}

func (t *tracer) receiptFacts(run lifecycle.Run, e lifecycle.Ended, seq lifecycle.Seq) facts {
	says := facts{
		"end_record": seq, "state": string(e.State), "cause": string(e.Cause), "reason": t.line(e.Reason), "found": e.Found,
		"result": t.line(e.Result), "partial": t.line(e.Partial), "denials": len(run.Denials), "usage": spending(run.Usage),
	}
	if e.Error != nil {
		says["error"] = t.line(string(e.Error.Kind) + ": " + e.Error.Message)
	}
	if n := run.Notification; n != nil {
		says["notification"] = t.line(noticeWords(t.Book, n))
	}
	if c := run.Consumed; c != nil {
		says["consumed"] = t.line(book.Joined(string(c.By), "in "+t.Name(c.InRun), string(c.Call)))
	}
	if e.Worktree != nil {
		says["worktree"] = t.line(e.Worktree.Summary())
	}
	says.withoutEmpty()
	if e.ExitCode != nil {
		says["exit_code"] = *e.ExitCode // zero matters too
	}
	return says
}

func noticeWords(b *book.Book, n *lifecycle.Notification) string {
	switch {
	case n.InRun != "":
		return fmt.Sprintf("delivered in %s, step %d", b.Name(n.InRun), n.Step)
	case n.WithdrawnBy != "":
		return "withdrawn by " + string(n.WithdrawnBy)
	}
	return "pending"
}
