package agent

import (
	"context"

	"pawl/lifecycle"
)

// Port is the loop's side of its own run: a *lifecycle.Port or, in a process of
// its own, what carries these calls to one. The contract is lifecycle.Port's.
type Port interface {
	Log
	// Run is the run as the journal has it now.
	Run() lifecycle.Run
	// Spent is what the whole session has spent so far, the run included.
	Spent() lifecycle.Usage
	// Scope is the authority over the children of the run's session; nil where it
	// can have none.
	Scope() *lifecycle.Scope
	// Report makes a progress the newest of this run. It never waits.
	Report(progress lifecycle.Progress)
	// Ask puts a question to a person and waits for the answer.
	Ask(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error)
}

// Log is how a run writes what it did, and takes in what waits for it. Every
// method returns when that is on disk; every error is a reason to end the run.
type Log interface {
	Step() ([]lifecycle.Entry, error)
	Record(entries []lifecycle.Entry, events ...lifecycle.Event) error
	Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, told []lifecycle.Told) error
}
