package agent

import (
	"context"

	"pawl/lifecycle"
)

// Port is the loop's access to its own run: a *lifecycle.Port or, in another process, a
// remote.Port that forwards to one. See lifecycle.Port for the contract.
type Port interface {
	Log
	// Run returns the run as it is in the journal now.
	Run() lifecycle.Run
	// Spent is what the whole session has spent so far, this run included.
	Spent() lifecycle.Usage
	// Scope gives access to the children of the run's session; nil if it cannot have any.
	Scope() *lifecycle.Scope
	// Report replaces the run's progress. It never blocks.
	Report(progress lifecycle.Progress)
	// Ask puts a question to a person and waits for the answer.
	Ask(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error)
}

// Log records what a run did and returns what waits for it. Every method returns once that
// is on disk; every error should end the run.
type Log interface {
	Step() ([]lifecycle.Entry, error)
	Record(entries []lifecycle.Entry, events ...lifecycle.Event) error
	Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, changed *lifecycle.FilesChanged, told []lifecycle.Told) error
}
