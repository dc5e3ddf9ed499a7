package lifecycle

import (
	"context"
	"time"
)

// Worker does the work of one run: it is called on a goroutine of its own, once
// the run is started and its start is on disk, and returns when the run's model
// has stopped asking for tools, when ctx ends, or when nothing can go on. It may
// panic: that is the run's failure and nobody else's.
//
// All that it is given can be sent to another process.
//
// For a run of IsolationRemote ctx may end with ErrLeft, and it is called again by the next process that
// opens the session. If somebody has asked for the end of the run meanwhile, ctx has ended already:
// what works at the run is then told, wherever it is.
type Worker func(ctx context.Context, port *Port) Outcome

// Journal is where the log is kept. The supervisor calls Append from one
// goroutine; the other methods from any.
type Journal interface {
	// Append writes all changes in one transaction and returns when they would survive a power
	// cut. On an error none of them is written. Without changes it tests whether it can write,
	// and leaves nothing in any log.
	Append(ctx context.Context, changes []Change) error
	// Load returns what is needed to continue a root session; an empty Loaded for one that the
	// journal does not know.
	Load(ctx context.Context, root SessionID) (Loaded, error)
	// Records reads the log of a root session, at most limit records after seq.
	Records(ctx context.Context, root SessionID, after Seq, limit int) ([]Record, error)
}

// Change is what one commit adds: records, the transcript entries that belong
// to them, and the runs they touched, as they stand after them. Runs are an
// index of the log: a journal may keep them to spare a fold.
type Change struct {
	Records []Record
	Entries []Entry
	Runs    []Run
}

// Loaded is a root session as the journal has it.
type Loaded struct {
	Seq      Seq      // of the last record, 0 if there is none
	Runs     []Run    // in the order in which they were spawned
	Copied   Seq      // the last record that is of another session, which this one was forked from; 0: none
	Messages []Record // the records of message events, in order: the queues are folded from them
}

// Limits bound what one root session may have going on.
type Limits struct {
	Background        int           // background runs at once
	Queue             int           // background runs waiting for a slot
	Foreground        int           // foreground runs of one parent at once
	Remote            int           // runs on other machines at once, in the foreground or not
	ForegroundWarning time.Duration // after which a parent stops waiting for a foreground run
	Shells            int           // shells at once, its subagents' among them
	AutoResumes       int           // times an idle parent wakes itself without its user; negative: no limit
}

// Of is how many runs hold a slot of a pool at once.
func (l Limits) Of(pool SlotPool) int {
	switch pool {
	case PoolBackground:
		return l.Background
	case PoolRemote:
		return l.Remote
	case PoolForeground:
	}
	return l.Foreground
}

// DefaultLimits are the design's.
func DefaultLimits() Limits {
	return Limits{Background: 5, Queue: 20, Foreground: 5, Remote: 100, ForegroundWarning: 10 * time.Minute, Shells: 10, AutoResumes: 10}
}

// stopGrace is how long a stopped run may take to end without a warning: the design's 2 s.
const stopGrace = 2 * time.Second
