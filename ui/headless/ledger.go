package headless

import (
	"fmt"
	"slices"

	"pawl/lifecycle"
)

// ledger is what a run without a screen knows: the fold of the records that it
// was shown. It is used by the watching goroutine alone.
type ledger struct {
	root  lifecycle.SessionID
	seq   lifecycle.Seq // the newest record
	runs  map[lifecycle.RunID]lifecycle.Run
	order []lifecycle.RunID
	old   map[lifecycle.RunID]bool // those that had ended before this prompt
}

func newLedger(snap lifecycle.Snapshot) *ledger {
	l := &ledger{root: snap.Root, seq: snap.Seq, runs: map[lifecycle.RunID]lifecycle.Run{}, old: map[lifecycle.RunID]bool{}}
	for _, run := range snap.Runs {
		l.put(run)
		l.old[run.ID] = run.State.Terminal()
	}
	return l
}

func (l *ledger) put(run lifecycle.Run) {
	if _, known := l.runs[run.ID]; !known {
		l.order = append(l.order, run.ID)
	}
	l.runs[run.ID] = run
}

// fold takes updates in and returns the runs that ended with them.
func (l *ledger) fold(u lifecycle.Updates) (ended []lifecycle.Run, err error) {
	for _, rec := range u.Records {
		l.seq = max(l.seq, rec.Seq)
		before := l.runs[rec.Run]
		if rec.Seq <= before.Seq {
			continue // the snapshot had it
		}
		after, err := before.Apply(rec)
		if err != nil {
			return ended, fmt.Errorf("read record %d: %w", rec.Seq, err)
		}
		l.put(after)
		if !before.State.Terminal() && after.State.Terminal() {
			ended = append(ended, after)
		}
	}
	for _, run := range u.Unsaved {
		l.put(run)
		ended = append(ended, run)
	}
	return ended, nil
}

// parent is the newest run of the root that is its own. One that a subagent's end
// woke in the moment in which all subagents were stopped is none: it was cut off
// with them, and the answer stands in the run before it.
func (l *ledger) parent() lifecycle.Run {
	var newest lifecycle.Run
	for _, id := range l.order {
		run := l.runs[id]
		if run.Session != l.root {
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

// subagents lists the newest run of each subagent that worked for this prompt, in
// the order of their first.
func (l *ledger) subagents() []lifecycle.Run {
	at := map[lifecycle.SessionID]int{}
	var newest []lifecycle.Run
	for _, id := range l.order {
		run := l.runs[id]
		if !run.Subagent() || l.old[id] {
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

// shells lists the commands that ran in the background for this prompt, in the
// order in which they were started.
func (l *ledger) shells() []lifecycle.Run {
	var shells []lifecycle.Run
	for _, id := range l.order {
		if run := l.runs[id]; run.Shell() && !l.old[id] {
			shells = append(shells, run)
		}
	}
	return shells
}

// alive lists the runs that are queued or running.
func (l *ledger) alive() []lifecycle.Run {
	var alive []lifecycle.Run
	for _, id := range l.order {
		if run := l.runs[id]; !run.State.Terminal() {
			alive = append(alive, run)
		}
	}
	return alive
}

// settled says that nothing is alive. The supervisor wakes the parent in the same
// transaction as the end that it owes word of, or says that it is about to: there is no
// gap between. A notification that waits for a person is no reason to wait.
func (l *ledger) settled() bool { return l.parent().ID != "" && len(l.alive()) == 0 }

// usage is the sum over all runs of this prompt, or over those of one session.
func (l *ledger) usage(of ...lifecycle.SessionID) lifecycle.Usage {
	var sum lifecycle.Usage
	for _, id := range l.order {
		if run := l.runs[id]; !l.old[id] && (len(of) == 0 || slices.Contains(of, run.Session)) {
			sum = sum.Add(run.Usage)
		}
	}
	return sum
}
