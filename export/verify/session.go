package verify

import (
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// sessionAudit is one session on trial.
type sessionAudit struct {
	id     lifecycle.SessionID
	parent lifecycle.SessionID
	shell  bool
	name   string // P, A1, S1
	latest lifecycle.RunID
	runs   int
	inbox  lifecycle.Inbox
	calls  map[lifecycle.CallID]opened // without a result
	named  map[lifecycle.CallID]bool   // of those, the ones that are a fault already
	script *transcriptCursor           // nil: it has no transcript
	// answered is the call that had its result last: what that told of is recorded with it.
	answered book.Caller
	asked    map[lifecycle.RunID]*asking
	// ready are the messages that waited when its step began, and are to be taken in now.
	ready []lifecycle.MessageID
}

// asking is how often a run's model was paid, and how often it has answered: at most once a
// step, or with each record of what an attempt cost.
type asking struct{ paid, answers int }

// answer counts one more.
func (a *asking) answer() int {
	a.answers++
	return a.answers
}

// counted is how often a run's model was asked.
func (h *sessionAudit) counted(run lifecycle.RunID) *asking {
	c := h.asked[run]
	if c == nil {
		c = &asking{}
		h.asked[run] = c
	}
	return c
}

// opened is a call that has no result yet.
type opened struct {
	run  lifecycle.RunID // that made it
	tool string
}

// stops says that the call may have stopped a run, and has yet to tell of that.
func (o opened) stops() bool { return o.tool == "agent_stop" || o.tool == "shell_kill" }

// forget lets go of a call whose fault is named.
func (h *sessionAudit) forget(call lifecycle.CallID) {
	delete(h.calls, call)
	delete(h.named, call)
	h.script.forget(call)
}

// spawned brings a run on trial, under the name that every export gives it.
func (a *audit) spawned(m *turn) {
	h := a.enter(m.rec.Session, m.after.Parent, m.after.Shell())
	h.runs++
	a.begun, a.open = append(a.begun, m.rec.Run), append(a.open, m.rec.Run)
	a.verdict.Runs++
	switch {
	case h.shell:
		a.names[m.rec.Run] = h.name
	case h.id == a.root:
		a.names[m.rec.Run] = fmt.Sprintf("P%d", h.runs)
	default:
		a.names[m.rec.Run] = fmt.Sprintf("%s.%d", h.name, h.runs)
	}
}

// enter finds a session, or brings it on trial.
func (a *audit) enter(id, parent lifecycle.SessionID, shell bool) *sessionAudit {
	if h, known := a.halls[id]; known {
		return h
	}
	h := &sessionAudit{id: id, parent: parent, shell: shell, name: "P", calls: map[lifecycle.CallID]opened{}, named: map[lifecycle.CallID]bool{}, asked: map[lifecycle.RunID]*asking{}}
	switch {
	case shell:
		a.shells++
		h.name = fmt.Sprintf("S%d", a.shells)
	case id != a.root:
		a.agents++
		h.name = fmt.Sprintf("A%d", a.agents)
	}
	if !shell {
		h.script = newScript(a.src, id, a.upto)
	}
	a.halls[id] = h
	a.entered = append(a.entered, id)
	return h
}
