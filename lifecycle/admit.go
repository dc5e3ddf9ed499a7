package lifecycle

import (
	"cmp"
	"errors"
	"fmt"
)

var (
	// ErrEnded reports a change to a run that has ended. It keeps its state; the caller may
	// treat this as a no-op.
	ErrEnded = errors.New("the run has ended")
	// ErrIllegal reports a record that no run in this state can have: a mistake
	// in Pawl, or a damaged log.
	ErrIllegal = errors.New("illegal transition")
)

// phase is the part of a run's life in which an event may come.
type phase int

const (
	unknown      phase = iota
	beforeSpawn        // before there is a run
	whileQueued        // while it is queued
	whileRunning       // while it is running
	whileOpen          // while it is queued or running
	atEnd              // the end itself
	afterEnd           // once it has ended
	onceSpawned        // whenever there is a run, ended or not
)

// phaseOf is one switch over the closed set.
func phaseOf(event Event) phase {
	switch event.(type) {
	case Spawned:
		return beforeSpawn
	case Queued, Started:
		return whileQueued
	case StepStarted, Waiting, Text, Thinking, ToolStarted, ToolEnded, Searched, PermissionAsked,
		MessageTaken, Nudged, Compacted, UsageReported, Placed:
		return whileRunning
	case Detached, Overdue, Warned, StopRequested, PermissionGranted, PermissionDenied,
		MessageQueued, MessageEdited, MessageMoved, MessageWithdrawn:
		return whileOpen
	case Ended:
		return atEnd
	case NotificationQueued, NotificationDelivered, NotificationWithdrawn, Consumed:
		return afterEnd
	case FilesChanged, Landed, Rewound:
		return onceSpawned
	}
	return unknown
}

// admits says whether a run in this state can have this record.
func (r *Run) admits(rec Record) error {
	if r.State != "" && rec.Run != r.ID {
		return fmt.Errorf("%w: a record of run %s given to run %s", ErrIllegal, rec.Run, r.ID)
	}
	if r.State != "" && rec.Seq <= r.Seq {
		return fmt.Errorf("%w: record %d after record %d", ErrIllegal, rec.Seq, r.Seq)
	}
	in := phaseOf(rec.Event)
	if in == unknown {
		return fmt.Errorf("%w: unknown event %T", ErrIllegal, rec.Event)
	}
	if r.State.Terminal() && (in == whileQueued || in == whileRunning || in == whileOpen || in == atEnd) {
		return ErrEnded
	}
	if !r.at(in) || !r.fits(rec.Event) {
		return fmt.Errorf("%w: %s in a run that is %s", ErrIllegal, Name(rec.Event), cmp.Or(r.State, "not spawned"))
	}
	return nil
}

// at says whether the run is in this part of its life.
func (r *Run) at(in phase) bool {
	switch in {
	case beforeSpawn:
		return r.State == ""
	case whileQueued:
		return r.State == StateQueued
	case whileRunning:
		return r.State == StateRunning
	case whileOpen, atEnd:
		return r.State == StateQueued || r.State == StateRunning
	case afterEnd:
		return r.State.Terminal()
	case onceSpawned:
		return r.State != ""
	case unknown:
	}
	return false
}

// fits says what an event asks for beyond its phase.
func (r *Run) fits(event Event) bool {
	switch e := event.(type) {
	case Detached, Overdue:
		return r.Subagent()
	case Placed:
		return r.placeable(e)
	case Ended:
		// Only a worker can finish the work; a run without one can only be given up.
		finished := e.State == StateCompleted || e.State == StateCompletedEmpty
		return e.State.Terminal() && (!finished || r.State == StateRunning)
	case NotificationQueued: // also of a run that owed none by itself: the call that was to report it did not
		return r.Child() && !r.told()
	case NotificationDelivered, NotificationWithdrawn:
		return r.Notification.Pending()
	case Consumed:
		return r.Consumed == nil
	default:
		return true
	}
}
