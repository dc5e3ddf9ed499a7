package verify

import (
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// sessionAudit is what an audit knows of one session.
type sessionAudit struct {
	id         lifecycle.SessionID
	parent     lifecycle.SessionID
	shell      bool
	name       string // P, A1, S1
	latest     lifecycle.RunID
	runs       int
	inbox      lifecycle.Inbox
	calls      map[lifecycle.CallID]openCall // without a result
	named      map[lifecycle.CallID]bool     // of those, the ones that are a fault already
	transcript *transcriptCursor             // nil: it has no transcript
	// answered is the call that had its result last: what that told of is recorded with it.
	answered book.Caller
	asked    map[lifecycle.RunID]*modelCalls
	// ready are the messages that waited when its step began, and are to be taken in now.
	ready []lifecycle.MessageID
}

// modelCalls is how often a run's model was paid, and how often it has answered: at most once a
// step, or with each record of what an attempt cost.
type modelCalls struct{ paid, answers int }

// counted is how often a run's model was asked.
func (s *sessionAudit) counted(run lifecycle.RunID) *modelCalls {
	c := s.asked[run]
	if c == nil {
		c = &modelCalls{}
		s.asked[run] = c
	}
	return c
}

// openCall is a call that has no result yet.
type openCall struct {
	run  lifecycle.RunID // that made it
	tool string
}

// stops says that the call may have stopped a run, and has yet to tell of that.
func (o openCall) stops() bool { return o.tool == "agent_stop" || o.tool == "shell_kill" }

// forget lets go of a call whose fault is named.
func (s *sessionAudit) forget(call lifecycle.CallID) {
	delete(s.calls, call)
	delete(s.named, call)
	s.transcript.forget(call)
}

// spawned adds a run, under the name that every export gives it.
func (a *audit) spawned(t *transition) {
	s := a.session(t.rec.Session, t.after.Parent, t.after.Shell())
	s.runs++
	a.runOrder, a.open = append(a.runOrder, t.rec.Run), append(a.open, t.rec.Run)
	a.verdict.Runs++
	switch {
	case s.shell:
		a.names[t.rec.Run] = s.name
	case s.id == a.root:
		a.names[t.rec.Run] = fmt.Sprintf("P%d", s.runs)
	default:
		a.names[t.rec.Run] = fmt.Sprintf("%s.%d", s.name, s.runs)
	}
}

func (a *audit) session(id, parent lifecycle.SessionID, shell bool) *sessionAudit {
	if s, known := a.sessions[id]; known {
		return s
	}
	s := &sessionAudit{id: id, parent: parent, shell: shell, name: "P", calls: map[lifecycle.CallID]openCall{}, named: map[lifecycle.CallID]bool{}, asked: map[lifecycle.RunID]*modelCalls{}}
	switch {
	case shell:
		a.shells++
		s.name = fmt.Sprintf("S%d", a.shells)
	case id != a.root:
		a.agents++
		s.name = fmt.Sprintf("A%d", a.agents)
	}
	if !shell {
		s.transcript = &transcriptCursor{src: a.src, session: id, upto: a.upto, open: map[lifecycle.CallID]lifecycle.RunID{}, over: a.src.Messages == nil}
	}
	a.sessions[id] = s
	a.sessionOrder = append(a.sessionOrder, id)
	return s
}
