package lifecycle

import (
	"context"
	"errors"
)

// Permissions decides about what runs ask: what needs no person, and what a person's
// answer means for what is asked later. The supervisor decides none of it. It puts the
// questions, waits, records the answers, and keeps the grants that stand.
//
// Consider, Covers and Keep are called without the supervisor's lock, from any goroutine
// and several at once. They may read files. Reaches and Settle are called under that lock:
// they are pure functions of what they are given, and wait for nothing.
type Permissions interface {
	// Consider says what is known of a question before anybody is asked. held is what stands
	// in the session. It may run programs, and returns promptly when ctx ends: what it says
	// then is not used.
	Consider(ctx context.Context, run Run, q Question, held []StandingGrant) Advice
	// Covers says whether the user's rules allow, as they are now, what a question is about.
	// It is called for a question that begins to wait, and for each that waits when a rule
	// has been added.
	Covers(run Run, q Question) bool
	// Keep makes the rules of a question, which has some, the user's own from now on and for
	// good. It is called before the answer is recorded, which its error prevents.
	Keep(run Run, q Question) error
	// Reaches says whether one of the grants that stand in its session answers a question
	// with yes. It is asked again once Consider is done: a person may have said more.
	Reaches(held []StandingGrant, q Question) bool
	// Settle says what an answer comes to: as it is recorded and told to who asked, and which
	// grants stand from the moment at which that is on disk.
	Settle(q Question, a Answer) (Answer, []StandingGrant)
}

// Advice is what is known of a question before anybody is asked.
type Advice struct {
	Answer   Answer
	Settled  bool     // Answer is one; else whoever may answers
	Each     bool     // as of Question
	Warnings []string // what programs of the user's got wrong: a line each, kept on the run
}

// warnings are the records of what went wrong.
func (a Advice) warnings() []Event {
	var events []Event
	for _, line := range a.Warnings {
		events = append(events, Warned{Kind: WarnHook, Message: line})
	}
	return events
}

// errNoRule reports a yes for always to what no rule describes.
var errNoRule = errors.New("no rule covers exactly this call: allow it once, for the run or for the session")

// noPermissions are a user without rules: each question is for a person, and each yes for one call.
type noPermissions struct{}

func (noPermissions) Consider(context.Context, Run, Question, []StandingGrant) Advice {
	return Advice{}
}
func (noPermissions) Covers(Run, Question) bool                             { return false }
func (noPermissions) Keep(Run, Question) error                              { return errNoRule }
func (noPermissions) Reaches([]StandingGrant, Question) bool                { return false }
func (noPermissions) Settle(_ Question, a Answer) (Answer, []StandingGrant) { return a, nil }
