package lifecycle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrNoSlot reports a launch or a detach that the limits refuse. Its text is for
// the model, and names who holds the slots.
var ErrNoSlot = errors.New("no slot is free")

// Slots is what a root session may still start in the background.
type Slots struct {
	Limit   int `json:"limit"`
	Running int `json:"running"`
	Queued  int `json:"queued"`
	// Remote are the slots of runs on other machines; nil while there is no such run.
	Remote *Slots `json:"remote,omitempty"`
}

// SlotPool names a set of slots. A subagent's run holds one of its pool, or waits for one.
type SlotPool int

// The pools.
const (
	PoolForeground SlotPool = iota
	PoolBackground
	PoolRemote // in the background or not
)

// SlotPools lists them, in the order in which free slots are given.
func SlotPools() []SlotPool { return []SlotPool{PoolForeground, PoolBackground, PoolRemote} }

// SlotPool is where a subagent's run with this spec holds its slot. One that is detached changes it, unless
// it works on another machine.
func (s Spec) SlotPool() SlotPool {
	switch {
	case s.Isolation == IsolationRemote:
		return PoolRemote
	case s.Background:
		return PoolBackground
	}
	return PoolForeground
}

// HoldsSlot reports whether the run occupies a slot of its pool. An overdue one at home holds none of
// either kind.
func (r Run) HoldsSlot() bool {
	return r.Subagent() && r.State == StateRunning && (r.SlotPool() != PoolForeground || r.OverdueAt.IsZero())
}

// pool lists the subagents' runs that hold a slot of a pool, and those that wait for one, the next
// first. They are the ledger's own, which nobody changes.
func (l *Ledger) pool(pool SlotPool) (running, queued []*Run) {
	for run := range l.current() {
		switch {
		case !run.Subagent() || run.SlotPool() != pool:
		case run.HoldsSlot():
			running = append(running, run)
		case run.State == StateQueued:
			queued = append(queued, run)
		}
	}
	if pool == PoolRemote {
		running = append(running, l.unsavedRemote()...)
	}
	return running, queued
}

// unsavedRemote are the remote runs whose ends could not be recorded. The next process finds them at
// work, so they keep their slots.
func (l *Ledger) unsavedRemote() (runs []*Run) {
	for id := range l.lost {
		if run := l.get(id); run.Remote() {
			runs = append(runs, run)
		}
	}
	slices.SortFunc(runs, func(a, b *Run) int { return cmp.Compare(a.ID, b.ID) })
	return runs
}

// Position is a queued run's place in line, 1 for the next; 0 if it is not queued.
func (l *Ledger) Position(id RunID) int {
	place, of := 0, l.get(id)
	if of.State != StateQueued {
		return 0
	}
	for run := range l.current() {
		if run.Subagent() && run.State == StateQueued && run.SlotPool() == of.SlotPool() {
			place++
		}
		if run.ID == id {
			return place
		}
	}
	return 0
}

// Slots are those in the background, and those of runs on other machines if there are such runs.
func (l *Ledger) Slots(limits Limits) Slots {
	slots := l.slotsOf(PoolBackground, limits)
	if remote := l.slotsOf(PoolRemote, limits); remote.Running+remote.Queued > 0 {
		slots.Remote = &remote
	}
	return slots
}

func (l *Ledger) slotsOf(pool SlotPool, limits Limits) Slots {
	running, queued := l.pool(pool)
	return Slots{Limit: limits.Of(pool), Running: len(running), Queued: len(queued)}
}

// admit refuses a launch for which there is neither a slot nor a place in line.
func (s *Supervisor) admit(d *tx, spec Spec) error {
	if s.closing {
		return ErrClosing
	}
	if spec.Parent == "" || !spec.Background {
		return nil
	}
	limits := s.options.Limits
	running, queued := d.pool(spec.SlotPool())
	if len(running) >= limits.Of(spec.SlotPool()) && len(queued) >= limits.Queue {
		where := "in the background"
		if spec.SlotPool() == PoolRemote {
			where = "on other machines"
		}
		return fmt.Errorf("%w: %d subagents run %s and %d wait, which is the limit. This is not a mistake of yours. "+
			"Do not retry; wait until one ends, or stop one. The slots are held by %s",
			ErrNoSlot, len(running), where, len(queued), holders("agent", running, d.time))
	}
	return nil
}

// spawn creates a run, started if a slot is free, else queued. The root and shells take no
// slot. It never refuses: a message that was accepted gets its run, however long the queue.
func (s *Supervisor) spawn(d *tx, session SessionID, spec Spec, attached ...Enclosure) (RunID, error) {
	id := NewRunID()
	running, queued := d.pool(spec.SlotPool())
	free := spec.Parent == "" || spec.Kind == KindShell || len(running) < s.options.Limits.Of(spec.SlotPool()) && len(queued) == 0
	spec.Attached = named(attached)
	if err := d.apply(session, id, Spawned{spec}); err != nil {
		return "", err
	}
	if spec.Prompt != "" && spec.Trigger != TriggerCompact {
		d.entries = append(d.entries, userEntry(session, id, Said{From: spec.From, Text: spec.Prompt, Attached: attached}))
	}
	if free {
		return id, d.apply(session, id, Started{})
	}
	return id, d.apply(session, id, Queued{Position: len(queued) + 1})
}

// launch spawns a run unless it must be refused.
func (s *Supervisor) launch(d *tx, session SessionID, spec Spec, attached ...Enclosure) (RunID, error) {
	if err := s.admit(d, spec); err != nil {
		return "", err
	}
	return s.spawn(d, session, spec, attached...)
}

// holdersNamed is how many holders of slots a refusal names.
const holdersNamed = 10

// holders names runs, and for how long each has run.
func holders(id string, runs []*Run, at time.Time) string {
	var names []string
	for _, run := range runs[:min(len(runs), holdersNamed)] {
		names = append(names, fmt.Sprintf("%q (%s %s, for %s)", run.Description, id, run.Session, run.Elapsed(at).Truncate(time.Second)))
	}
	if more := len(runs) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// startWaiting starts what waits for a slot, and wakes an idle parent that is owed a notification.
// Every change that may make one of these possible ends with it.
func (s *Supervisor) startWaiting(d *tx) error {
	if s.closing {
		return nil
	}
	if err := s.startQueued(d); err != nil {
		return err
	}
	return s.wake(d)
}

// startQueued gives free slots to the runs that wait for them.
func (s *Supervisor) startQueued(d *tx) error {
	for _, pool := range SlotPools() {
		// Listed again each time: a queued overdue run leaves the queue and takes no slot.
		running, queued := d.pool(pool)
		for len(queued) > 0 && len(running) < s.options.Limits.Of(pool) {
			if err := d.apply(queued[0].Session, queued[0].ID, Started{}); err != nil {
				return err
			}
			running, queued = d.pool(pool)
		}
	}
	return nil
}

// wake starts one run of an idle parent for all the notifications that are
// pending, when that is safe, and once those that a person causes are gathered.
func (s *Supervisor) wake(d *tx) error {
	t := d.t
	last := d.Latest(t.root)
	if !last.State.Terminal() { // it works, or this change woke it for another reason
		return nil
	}
	wait, wakes := d.Wakes(d.time)
	switch {
	case !wakes || !s.safeToWake(d) || len(d.Questions()) > 0:
		t.setWaking(false)
		return nil
	case wait > 0:
		s.gather(t, wait)
		return nil
	}
	d.then(func() { t.setWaking(false) })
	_, err := s.spawn(d, t.root, t.again(t.members[t.root], last, TriggerNotification))
	return err
}

// safeToWake follows the design: not after a stop, even one that came too late; not in a
// session just reopened; not without end. Nor after a run that failed before its first step,
// since the next one would fail like it.
func (s *Supervisor) safeToWake(d *tx) bool {
	limit := s.options.Limits.AutoResumes
	return !d.WakeBlocked() && !d.t.held && !d.t.reopened && (limit < 0 || d.Woken() < limit)
}
