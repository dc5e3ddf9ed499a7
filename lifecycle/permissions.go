package lifecycle

import (
	"context"
	"errors"
)

// Permissions decides which questions need no person, and what a person's answer means for
// later ones. The supervisor only asks, waits, records the answers and keeps the standing
// grants.
//
// Consider, Covers and Keep are called without the supervisor's lock, from any goroutine and
// several at once. They may read files. Reaches and Settle are called under that lock: they
// are pure functions.
type Permissions interface {
	// Consider is called before anybody is asked. held are the standing grants of the session.
	// It may run programs, and returns promptly when ctx ends; its result is then ignored.
	Consider(ctx context.Context, run Run, q Question, held []StandingGrant) Advice
	// Covers reports whether the user's current rules allow what a question is about. It is
	// called when a question begins to wait, and for each waiting one when a rule is added.
	Covers(run Run, q Question) bool
	// Keep adds the rules of a question, which has some, to the user's own for good. It is
	// called before the answer is recorded; its error prevents that.
	Keep(run Run, q Question) error
	// Reaches reports whether a standing grant of its session answers a question with yes. It
	// is called again after Consider, because there may be new grants.
	Reaches(held []StandingGrant, q Question) bool
	// Settle returns an answer as it is recorded and given to the run, and the grants that
	// stand once that is on disk.
	Settle(q Question, a Answer) (Answer, []StandingGrant)
}

// Advice is what is known of a question before anybody is asked.
type Advice struct {
	Answer   Answer
	Settled  bool     // Answer counts; else somebody has to be asked
	Each     bool     // as of Question
	Warnings []string // a line for each failure of the user's programs, kept on the run
}

// warnings are the records of the warnings.
func (a Advice) warnings() []Event {
	var events []Event
	for _, line := range a.Warnings {
		events = append(events, Warned{Kind: WarnHook, Message: line})
	}
	return events
}

// errNoRule reports a yes for always to a question without rules.
var errNoRule = errors.New("no rule covers exactly this call: allow it once, for the run or for the session")

// noPermissions is for a user without rules: a person answers each question, and each yes is for one call.
type noPermissions struct{}

func (noPermissions) Consider(context.Context, Run, Question, []StandingGrant) Advice {
	return Advice{}
}
func (noPermissions) Covers(Run, Question) bool                             { return false }
func (noPermissions) Keep(Run, Question) error                              { return errNoRule }
func (noPermissions) Reaches([]StandingGrant, Question) bool                { return false }
func (noPermissions) Settle(_ Question, a Answer) (Answer, []StandingGrant) { return a, nil }
