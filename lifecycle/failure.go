package lifecycle

import "errors"

// FailureKind says, for machines, why a run failed.
type FailureKind string

// The kinds of failure, a closed set.
const (
	FailProvider      FailureKind = "provider"       // the model's server, after all retries
	FailRateLimited   FailureKind = "rate_limited"   // still throttled after all retries
	FailAuth          FailureKind = "auth"           // no key, or a wrong one
	FailContextLength FailureKind = "context_length" // the transcript no longer fits
	FailTruncated     FailureKind = "truncated"      // the answer was cut off
	FailRefused       FailureKind = "refused"        // the model declined
	FailMaxSteps      FailureKind = "max_steps"      // the step limit of its type
	FailBudget        FailureKind = "budget"         // money or tokens ran out
	FailSetup         FailureKind = "setup"          // it could not be started
	FailTool          FailureKind = "tool"           // a tool broke the loop: a bug in it
	FailJournal       FailureKind = "journal"        // it could not be recorded
	FailProcess       FailureKind = "process"        // its process died
	FailPanic         FailureKind = "panic"          // a bug elsewhere in Pawl, kept to this run
)

// Failure is an error of a run: the kind for machines, the message for people.
// The message is one line that names the act and the thing.
type Failure struct {
	Kind    FailureKind `json:"kind"`
	Message string      `json:"message"`
}

// Line is the failure in one sentence for people: what failed, and how.
func (f *Failure) Line() string { return f.Kind.Words() + ": " + f.Message }

func (f *Failure) Error() string { return f.Message }

// asFailure is err with a kind: its own if it is a Failure, else FailTool, because the loop
// classifies all other errors.
func asFailure(err error) *Failure {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure
	}
	return &Failure{Kind: FailTool, Message: err.Error()}
}
