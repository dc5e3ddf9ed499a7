package fleet

import (
	"time"

	"pawl/lifecycle"
)

// State is how much a session needs its user.
type State string

// The states, the most urgent first.
const (
	NeedsYou State = "needs_you" // a question is open
	Works    State = "works"     // a run goes on, waits for a slot, or is about to begin
	Idle     State = "idle"      // nothing happens until its user writes; a command in the background may run
)

const (
	statusType    = "status"
	statusVersion = 1
)

// Status is how an open session stands: a line of its host's socket.
type Status struct {
	Type      string              `json:"type"`
	Version   int                 `json:"version"` // grows when a field changes its meaning; new ones are no reason
	Session   lifecycle.SessionID `json:"session"`
	Folder    string              `json:"folder"`
	Title     string              `json:"title"`
	State     State               `json:"state"`
	PID       int                 `json:"pid"`
	Pawl      string              `json:"pawl"` // the program's version
	Started   time.Time           `json:"started"`
	Since     time.Time           `json:"since,omitzero"` // since when it asks, works or has nothing to do
	Screens   int                 `json:"screens"`
	Runs      Runs                `json:"runs"`
	Subagents int                 `json:"subagents"` // that have not ended
	Shells    int                 `json:"shells"`    // as well
	Slots     lifecycle.Slots     `json:"slots"`
	Denied    int                 `json:"denied"` // calls that are denied and were not allowed since
	CostUSD   float64             `json:"cost_usd"`
	Tokens    int64               `json:"tokens"` // in and out, of all runs
	Memory    int64               `json:"memory_bytes"`
	Activity  string              `json:"activity"` // one line: what it does or why it is quiet
	Questions []Question          `json:"questions"`
}

// Runs are those of the agent and its subagents.
type Runs struct {
	Running int `json:"running"`
	Queued  int `json:"queued"`
}

// Facts are what a session's log does not say.
type Facts struct {
	Folder, Title string
	PID           int
	Pawl          string
	Started       time.Time
	Screens       int
	Limits        lifecycle.Limits
	Memory        int64
	Progress      map[lifecycle.RunID]lifecycle.Progress // the newest of each run
	Waking        bool                                   // as in lifecycle.Updates
	Fault         string                                 // as well
	Now           time.Time
}

// Of is how a session stands. Its texts are as models wrote them.
func Of(l *lifecycle.Ledger, f Facts) Status {
	s := Status{
		Type: statusType, Version: statusVersion, Session: l.Root(), Folder: f.Folder, Title: f.Title, State: Idle,
		PID: f.PID, Pawl: f.Pawl, Started: f.Started.UTC(), Screens: f.Screens, Denied: denied(l), Memory: f.Memory,
		Questions: []Question{},
	}
	agents := map[lifecycle.SessionID]bool{}
	for _, run := range l.Live() {
		switch {
		case run.Shell():
			s.Shells++
			continue
		case run.State == lifecycle.StateQueued:
			s.Runs.Queued++
		default:
			s.Runs.Running++
		}
		if run.Subagent() {
			agents[run.Session] = true
		}
	}
	s.Subagents = len(agents)
	s.Slots = l.Slots(f.Limits)
	spent := l.Spent()
	s.CostUSD, s.Tokens = spent.Cost, spent.InputTokens+spent.OutputTokens
	for _, q := range l.Questions() {
		s.Questions = append(s.Questions, questionOf(q))
	}
	switch {
	case len(s.Questions) > 0:
		s.State = NeedsYou
	case s.Runs.Running+s.Runs.Queued > 0 || f.Waking:
		s.State = Works
	}
	s.Since = since(l, s.State).UTC()
	s.Activity = activity(l, f, s)
	return s
}

// since is when a session came to stand as it does: the last sign of life of what asks, the beginning
// of what runs, or the last end.
func since(l *lifecycle.Ledger, state State) (at time.Time) {
	if state == Idle {
		for run := range l.Runs() {
			if run.EndedAt.After(at) {
				at = run.EndedAt
			}
		}
		return at
	}
	for _, run := range l.Live() {
		began := run.SpawnedAt
		switch {
		case run.Shell():
			continue
		case state == NeedsYou && len(run.Asked) == 0:
			continue
		case state == NeedsYou:
			began = run.HeardAt
		}
		if at.IsZero() || began.Before(at) {
			at = began
		}
	}
	return at
}

// denied counts the calls of all its sessions that are denied.
func denied(l *lifecycle.Ledger) (n int) {
	sessions := map[lifecycle.SessionID][]lifecycle.Run{}
	for run := range l.Runs() {
		if len(run.Denials)+len(run.Lifted) > 0 {
			sessions[run.Session] = append(sessions[run.Session], run)
		}
	}
	for _, runs := range sessions {
		n += lifecycle.Denied(lifecycle.Refusals(runs...))
	}
	return n
}
