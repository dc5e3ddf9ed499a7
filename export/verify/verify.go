package verify

import (
	"context"
	"fmt"

	"pawl/export/book"
	"pawl/lifecycle"
)

// Fault is a promise that a recorded session does not keep, where it breaks it. What does
// not apply is empty.
type Fault struct {
	Promise Promise             `json:"promise"`
	Record  lifecycle.Seq       `json:"record,omitempty"`
	Run     lifecycle.RunID     `json:"run,omitempty"`
	Name    string              `json:"name,omitempty"` // of the run, as every export has it: A2.1
	Session lifecycle.SessionID `json:"session,omitempty"`
	Call    lifecycle.CallID    `json:"call,omitempty"`
	Message string              `json:"message"` // one line: what is wrong
}

// String is the fault in one line: the promise, where, and what.
func (f Fault) String() string {
	line := []string{f.Promise.String()}
	if f.Record > 0 {
		line = append(line, fmt.Sprintf("record %d", f.Record))
	}
	switch {
	case f.Run != "":
		line = append(line, fmt.Sprintf("run %s (%s)", f.Name, f.Run))
	case f.Session != "":
		line = append(line, "session "+string(f.Session))
	}
	if f.Call != "" {
		line = append(line, "call "+string(f.Call))
	}
	return book.Joined(append(line, f.Message)...)
}

// Verdict is what Verify found.
type Verdict struct {
	Records lifecycle.Seq `json:"records"`
	Runs    int           `json:"runs"`
	Faults  []Fault       `json:"faults"`         // the first of them, in the order of the log
	More    int           `json:"more,omitempty"` // how many further ones there are
	// Unseen says, a line each, what this source cannot show.
	Unseen []string `json:"unseen"`
}

// Kept reports whether every promise was kept, as far as can be seen.
func (v Verdict) Kept() bool { return len(v.Faults) == 0 }

// mostFaults bounds what is kept of a document in which all is wrong. The rest is counted.
const mostFaults = 1000

// Session holds a root session, as it stood when record upto was the newest, against what
// the design promises of every session, and against itself: its runs against its log, its
// transcripts against both. The records are read once, in order, and each transcript beside
// them: memory grows with the number of runs and sessions, not with the log. A source
// without Messages is held against its log alone. upto is a record at which the session was
// saved, as every export's is: within one transaction, nothing is promised.
//
// An error is one of reading. What is wrong with the session is in the verdict.
func Session(ctx context.Context, src book.Source, upto lifecycle.Seq) (Verdict, error) {
	root := src.Session.ID
	fail := func(err error) (Verdict, error) {
		return Verdict{}, fmt.Errorf("verify session %s: %w", root, err)
	}
	if err := src.Check(root, upto); err != nil {
		return fail(err)
	}
	a := newAudit(ctx, src, upto)
	if err := a.readReceipts(); err != nil {
		return fail(err)
	}
	whole, err := a.log()
	if err != nil {
		return fail(err)
	}
	if whole {
		if err := a.close(); err != nil {
			return fail(err)
		}
	}
	return a.verdict, nil
}
