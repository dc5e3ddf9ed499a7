package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
	last := t.runs[t.latest[m.id]].run
	if !last.State.Terminal() && !last.StopRequestedAt.IsZero() {
		return Reply{}, nil, fmt.Errorf("%s is being stopped: grant it when it has ended", quoted(last))
	}
	var grants []StandingGrant
	var deeds []Deed
	var events []Event
	var lines []string
	for _, r := range lifted {
		_, stands := s.options.Permissions.Settle(r.question(m.id), Answer{Allow: true, By: "person", Scope: GrantDenied})
		grants = append(grants, stands...)
		deeds = append(deeds, r.Deed())
		lines = append(lines, strings.TrimSpace(r.Tool+" "+r.Subject))
		granted := PermissionGranted{Call: r.Call, By: "person", Scope: GrantDenied, Tool: r.Tool, Subject: r.Subject}
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
		if run := t.runs[id].run; run.Session == m.id && len(run.Denials)+len(run.Lifted) > 0 {
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
	name := quoted(t.runs[t.latest[m.id]].run)
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
