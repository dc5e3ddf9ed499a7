package headless

import (
	"fmt"
	"slices"
	"time"

	"pawl/lifecycle"
)

// ledger folds the records that the watch has seen. Only the watching goroutine uses it.
type ledger struct {
	*lifecycle.Ledger
	old map[lifecycle.RunID]bool // runs that had ended before this prompt
}

func newLedger(snap lifecycle.Snapshot) *ledger {
	l := &ledger{Ledger: lifecycle.NewLedger(snap), old: map[lifecycle.RunID]bool{}}
	for _, run := range snap.Runs {
		l.old[run.ID] = run.State.Terminal()
	}
	return l
}

// fold applies updates and returns the runs that they ended.
func (l *ledger) fold(u lifecycle.Updates) (ended []lifecycle.Run, err error) {
	for _, rec := range u.Records {
		if rec.Seq <= l.Seq() {
			continue // the snapshot contains it
		}
		if err := l.Apply(rec); err != nil {
			return ended, fmt.Errorf("read record %d: %w", rec.Seq, err)
		}
		if _, ends := rec.Event.(lifecycle.Ended); ends {
			ended = append(ended, l.Run(rec.Run))
		}
	}
	for _, run := range u.Unsaved {
		l.Lose(run)
		ended = append(ended, run)
	}
	return ended, nil
}

// parent is the newest run of the root that counts. A run that a subagent's end started just
// when all subagents were stopped does not count: it was cut off with them, and the answer is in
// the run before it.
func (l *ledger) parent() lifecycle.Run {
	var newest lifecycle.Run
	for run := range l.Runs() {
		if run.Session != l.Root() {
			continue
		}
		late := run.Cause == lifecycle.CauseAgentsStop || run.Cause == lifecycle.CauseDrainTimeout
		if answered := newest.ID != "" && !l.old[newest.ID]; late && answered {
			continue
		}
		newest = run
	}
	return newest
}

// subagents lists the newest run of each subagent that worked for this prompt, in the order of
// their first runs.
func (l *ledger) subagents() []lifecycle.Run {
	at := map[lifecycle.SessionID]int{}
	var newest []lifecycle.Run
	for run := range l.Runs() {
		if !run.Subagent() || l.old[run.ID] {
			continue
		}
		if i, seen := at[run.Session]; seen {
			newest[i] = run
			continue
		}
		at[run.Session] = len(newest)
		newest = append(newest, run)
	}
	return newest
}

// shells lists the background commands of this prompt in the order they were started.
func (l *ledger) shells() []lifecycle.Run {
	var shells []lifecycle.Run
	for run := range l.Runs() {
		if run.Shell() && !l.old[run.ID] {
			shells = append(shells, run)
		}
	}
	return shells
}

// usage is the sum over all runs of this prompt, or those of the given sessions.
func (l *ledger) usage(of ...lifecycle.SessionID) lifecycle.Usage {
	var sum lifecycle.Usage
	for run := range l.Runs() {
		if !l.old[run.ID] && (len(of) == 0 || slices.Contains(of, run.Session)) {
			sum = sum.Add(run.Usage)
		}
	}
	return sum
}

// working reports that a run has not ended. Commands in the background do not count.
func (l *ledger) working() bool {
	return slices.ContainsFunc(l.Live(), func(run lifecycle.Run) bool { return !run.Shell() })
}

// beforeLastPrompt are the runs that had ended when the root began to do what its user asked
// last.
func (l *ledger) beforeLastPrompt() map[lifecycle.RunID]bool {
	var began time.Time
	for run := range l.Runs() {
		if run.Session == l.Root() && run.Trigger != lifecycle.TriggerNotification && run.Trigger != lifecycle.TriggerCompact {
			began = run.SpawnedAt
		}
	}
	before := map[lifecycle.RunID]bool{}
	for run := range l.Runs() {
		before[run.ID] = run.State.Terminal() && run.EndedAt.Before(began)
	}
	return before
}
