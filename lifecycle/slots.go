package lifecycle

import (
	"errors"
	"fmt"
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
}

// inBackground reports which lane a run is in. An overdue run holds no slot of either kind; a
// detached one holds one in the background.
func (r Run) inBackground() bool { return r.Subagent() && r.Background }

// holdsSlot reports whether the run occupies a slot.
func (r Run) holdsSlot() bool {
	return r.Subagent() && r.State == StateRunning && (r.Background || r.OverdueAt.IsZero())
}

// Lane lists the subagents' runs that hold a slot in the background or the foreground, and
// those that wait for one, the next first.
func (l *Ledger) Lane(background bool) (running, queued []Run) {
	for run := range l.current() {
		switch {
		case !run.Subagent() || run.inBackground() != background:
		case run.holdsSlot():
			running = append(running, *run)
		case run.State == StateQueued:
			queued = append(queued, *run)
		}
	}
	return running, queued
}

// Position is a queued run's place in line, 1 for the next; 0 if it is not queued.
func (l *Ledger) Position(id RunID) int {
	place, of := 0, l.get(id)
	if of.State != StateQueued {
		return 0
	}
	for run := range l.current() {
		if run.Subagent() && run.State == StateQueued && run.Background == of.Background {
			place++
		}
		if run.ID == id {
			return place
		}
	}
	return 0
}

func (d *tx) slots() Slots {
	running, queued := d.Lane(true)
	return Slots{Limit: d.s.options.Limits.Background, Running: len(running), Queued: len(queued)}
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
	running, queued := d.Lane(true)
	if len(running) >= limits.Background && len(queued) >= limits.Queue {
		return fmt.Errorf("%w: %d subagents run in the background and %d wait, which is the limit. This is not a mistake of yours. "+
			"Do not retry; wait until one ends, or stop one. The slots are held by %s",
			ErrNoSlot, len(running), len(queued), holders("agent", running, d.time))
	}
	return nil
}

// spawn creates a run, started if a slot is free, else queued. The root and shells take no
// slot. It never refuses: a message that was accepted gets its run, however long the queue.
func (s *Supervisor) spawn(d *tx, session SessionID, spec Spec, attached ...Enclosure) (RunID, error) {
	id := NewRunID()
	running, queued := d.Lane(spec.Background)
	free := spec.Parent == "" || spec.Kind == KindShell || len(running) < s.options.Limits.lane(spec.Background) && len(queued) == 0
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

// holders names runs, and for how long each has run.
func holders(id string, runs []Run, at time.Time) string {
	var names []string
	for _, run := range runs {
		names = append(names, fmt.Sprintf("%q (%s %s, for %s)", run.Description, id, run.Session, run.Elapsed(at).Truncate(time.Second)))
	}
	return strings.Join(names, ", ")
}

// startWaiting starts what waits for a slot, and wakes an idle parent that is owed a notification.
// Every change that may make one of these possible ends with it.
func (s *Supervisor) startWaiting(d *tx) error {
	if s.closing {
		return nil
	}
	for _, background := range []bool{false, true} {
		// Listed again each time: a queued overdue run leaves the queue and takes no slot.
		running, queued := d.Lane(background)
		for len(queued) > 0 && len(running) < s.options.Limits.lane(background) {
			if err := d.apply(queued[0].Session, queued[0].ID, Started{}); err != nil {
				return err
			}
			running, queued = d.Lane(background)
		}
	}
	return s.wake(d)
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
