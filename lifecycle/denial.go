package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Deed is what a call would do, as a person reads it before they allow it: its tool and its
// subject, a whole command line or a path. Two changes to the same file are the same deed.
type Deed struct {
	Tool    string `json:"tool"`
	Subject string `json:"subject,omitempty"`
}

// Denial is a call that was refused, kept on its run.
type Denial struct {
	Call     CallID     `json:"call"`
	Question QuestionID `json:"question,omitempty"` // empty if nobody could be asked
	Tool     string     `json:"tool"`
	Subject  string     `json:"subject,omitempty"`
	By       Decider    `json:"by"`
	Reason   string     `json:"reason,omitempty"`
	At       time.Time  `json:"at,omitzero"`
	// LiftedAt is when a person allowed it after all, while its run was still working. A later
	// grant stands on the run that it started.
	LiftedAt time.Time `json:"lifted_at,omitzero"`
	// Effect, Rules and Why are those of the question.
	Effect string   `json:"effect,omitempty"`
	Rules  []string `json:"rules,omitempty"`
	Why    string   `json:"why,omitempty"`
}

// Lifted is a grant of what had been denied, kept on the run that was told of it.
type Lifted struct {
	Deed
	At    time.Time `json:"at"`
	Rules []string  `json:"rules,omitempty"` // added with it, if it was for always
}

// Deed is what was denied.
func (d Denial) Deed() Deed { return Deed{d.Tool, d.Subject} }

// Grantable reports whether a person may lift a denial. Nobody lifts that of a rule or a hook.
func (d Denial) Grantable() bool { return d.By == DeciderNobody || d.By == DeciderPerson }

// deny keeps a refused call, with what its question said of it.
func (r *Run) deny(at time.Time, e PermissionDenied) {
	d := Denial{Call: e.Call, Question: e.Question, Tool: e.Tool, Subject: e.Subject, By: e.By, Reason: e.Reason, At: at}
	for _, q := range r.Asked {
		if q.ID == e.Question {
			d.Effect, d.Rules, d.Why = q.Effect, q.Rules, q.Why
		}
	}
	r.denied, r.Denials = r.denied.add(r.Denials, d)
}

// lift marks what a grant allows after all. The answer to a question lifts nothing.
func (r *Run) lift(at time.Time, e PermissionGranted) {
	if e.Tool == "" {
		return
	}
	lifted := Lifted{Deed: Deed{e.Tool, e.Subject}, At: at, Rules: e.Rules}
	r.Lifted = append(slices.Clone(r.Lifted), lifted)
	r.denied, r.Denials = nil, slices.Clone(r.Denials)
	for i := range r.Denials {
		if d := &r.Denials[i]; d.LiftedAt.IsZero() && d.Grantable() && d.Deed() == lifted.Deed {
			d.LiftedAt = at
		}
	}
}

// Refusal is one thing that is denied to a session: the newest of its denials, in
// which run that was, and how many there were.
type Refusal struct {
	Denial
	Run   RunID
	Times int
}

// question is what was asked when the newest of them was denied, as far as it was kept.
func (r Refusal) question(session SessionID) Question {
	return Question{
		ID: r.Question, Session: session, Run: r.Run, Call: r.Call, Tool: r.Tool, Subject: r.Subject,
		Effect: r.Effect, Rules: r.Rules, Why: r.Why,
	}
}

// Refusals are what is denied to a session and was not granted since, in the order of the
// first denials. runs are those of the session, in the order of spawning. What is denied
// again after a grant counts as new.
func Refusals(runs ...Run) []Refusal {
	var open []Refusal
	for _, run := range runs {
		for _, lifted := range run.Lifted {
			open = slices.DeleteFunc(open, func(r Refusal) bool { return r.Grantable() && r.Deed() == lifted.Deed })
		}
		for _, d := range run.Denials {
			if d.LiftedAt.IsZero() {
				open = refuse(open, run.ID, d)
			}
		}
	}
	return open
}

func refuse(open []Refusal, run RunID, d Denial) []Refusal {
	for i := range open {
		if r := &open[i]; r.Deed() == d.Deed() && r.Grantable() == d.Grantable() {
			r.Denial, r.Run, r.Times = d, run, r.Times+1
			return open
		}
	}
	return append(open, Refusal{Denial: d, Run: run, Times: 1})
}

// Denied is how many calls these are.
func Denied(open []Refusal) int {
	n := 0
	for _, r := range open {
		n += r.Times
	}
	return n
}

// grantDenied allows what was denied to a session, and tells it to try again. That message is
// Pawl's: a model wrote what was denied, so files that it names are not attached.
func (s *Supervisor) grantDenied(c Grant) (Reply, *change, error) {
	t, m, err := s.member(c.Session)
	if err != nil {
		return Reply{}, nil, err
	}
	lifted, err := t.chosen(m, c)
	if err != nil {
		return Reply{}, nil, err
	}
	last := t.get(t.latest[m.id])
	if !last.State.Terminal() && !last.StopRequestedAt.IsZero() {
		return Reply{}, nil, fmt.Errorf("%s is being stopped: grant it when it has ended", quoted(last))
	}
	var grants []StandingGrant
	var deeds []Deed
	var events []Event
	var lines []string
	for _, r := range lifted {
		_, stands := s.options.Permissions.Settle(r.question(m.id), Answer{Allow: true, By: DeciderPerson, Scope: GrantDenied})
		grants = append(grants, stands...)
		deeds = append(deeds, r.Deed())
		lines = append(lines, strings.TrimSpace(r.Tool+" "+r.Subject))
		granted := PermissionGranted{Call: r.Call, By: DeciderPerson, Scope: GrantDenied, Tool: r.Tool, Subject: r.Subject}
		if c.Always {
			granted.Scope, granted.Rules = GrantAlways, r.Rules
		}
		events = append(events, granted)
	}
	text := "The user now allows what was denied before: " + strings.Join(lines, "; ") + ". Try again."
	reply, change, err := s.send(c.Session, incoming{
		from: FromPawl, text: text, with: events, then: func() { m.hold(grants) },
	})
	reply.Granted = deeds
	return reply, change, err
}

// denials are what is denied to a session, unsaved changes included.
func (t *tree) denials(m *member) []Refusal {
	var runs []Run
	for _, id := range t.order {
		if run := t.get(id); run.Session == m.id && len(run.Denials)+len(run.Lifted) > 0 {
			runs = append(runs, *run)
		}
	}
	return Refusals(runs...)
}

// quoted is the description of a run's session for errors; a parent has none.
func quoted(run *Run) string {
	if run.Description == "" {
		return "this session"
	}
	return strconv.Quote(run.Description)
}

// chosen are the denials that a grant is about. The error names the first that a person cannot
// lift.
func (t *tree) chosen(m *member, c Grant) ([]Refusal, error) {
	open := t.denials(m)
	name := quoted(t.get(t.latest[m.id]))
	if len(open) == 0 {
		return nil, fmt.Errorf("nothing is denied to %s", name)
	}
	var chosen []Refusal
	for _, r := range open {
		if r.Grantable() && (len(c.Deeds) == 0 || slices.Contains(c.Deeds, r.Deed())) {
			chosen = append(chosen, r)
		}
	}
	for _, deed := range c.Deeds {
		if !slices.ContainsFunc(chosen, func(r Refusal) bool { return r.Deed() == deed }) {
			return nil, fmt.Errorf("%s %s is not denied to %s any more, or was denied by a rule or a hook", deed.Tool, deed.Subject, name)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("what was denied to %s was denied by a rule or a hook: change that", name)
	}
	return chosen, nil
}
