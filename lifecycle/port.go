package lifecycle

import (
	"context"
	"fmt"
)

// Port is a worker's access to its own run: it records what the worker does, and gives its
// tools their authority. Its methods may be called from any goroutine of the worker until the
// worker returns; every error is a reason to return.
type Port struct {
	s       *Supervisor
	t       *tree
	h       *handle
	session SessionID
	id      RunID
}

// Run is the run as the journal has it now.
func (p *Port) Run() Run {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return *p.h.saved
}

// Spent is what the whole session has spent so far, as the journal has it: all
// runs of the root and of its subagents, also those of earlier processes.
func (p *Port) Spent() Usage {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.t.saved.Spent()
}

// Scope is the authority over the children of this run's session.
func (p *Port) Scope() *Scope {
	return &Scope{s: p.s, t: p.t, parent: p.session, run: p.id, like: p.Run().Spec}
}

// Step opens the next model request and takes in what waits for the session: notifications,
// then messages. It returns their transcript entries, which are written in the transaction
// that records their delivery. The files that people's messages name are read before that.
func (p *Port) Step() ([]Entry, error) {
	read := p.readInbox()
	d := p.s.begin(p.t)
	err := p.takeIn(d, read)
	var c *change
	if err == nil {
		c = d.commit()
	}
	p.s.mu.Unlock()
	return d.entries, saved(c, err)
}

func (p *Port) takeIn(d *tx, read map[wording][]Enclosure) error {
	step := d.run(p.id).Step + 1
	if err := d.apply(p.session, p.id, StepStarted{Step: step}); err != nil {
		return err
	}
	if err := p.deliver(d, step); err != nil {
		return err
	}
	for _, m := range d.Inbox(p.session) {
		var attached []Enclosure
		if m.From == FromUser {
			attached = read[wording{m.ID, m.Text}]
		}
		taken := MessageTaken{Message: m.ID, Step: step, From: m.From, Text: m.Text, Attached: named(attached)}
		if err := d.apply(p.session, p.id, taken); err != nil {
			return err
		}
		d.entries = append(d.entries, userEntry(p.session, p.id, Said{From: m.From, Message: m.ID, Text: m.Text, Attached: attached}))
	}
	p.tellAsides(d)
	d.tellUntold(p.session, p.id)
	return nil
}

// deliver delivers every notification that the session is owed. The number of remaining runs
// includes subagents and shells, because a model that counts waits for both.
func (p *Port) deliver(d *tx, step int) error {
	remaining := 0
	for _, id := range p.t.open {
		if run := d.run(id); run.Parent == p.session && !run.State.Terminal() {
			remaining++
		}
	}
	for _, run := range d.Owed(p.session) {
		err := d.applyAll(run.Session, run.ID,
			NotificationDelivered{InRun: p.id, Step: step},
			Consumed{By: ByNotification, InRun: p.id})
		if err != nil {
			return err
		}
		d.entries = append(d.entries, notice(run, remaining).entry(p.session, p.id))
	}
	return nil
}

// Record writes what the worker did, with the transcript entries that belong to it, in one
// transaction. It refuses events that only the supervisor records.
func (p *Port) Record(entries []Entry, events ...Event) error {
	for _, event := range events {
		switch event.(type) {
		case Waiting, Text, Thinking, ToolStarted, ToolEnded, FilesChanged, UsageReported, Warned, Nudged, Compacted, PermissionDenied:
		default:
			return fmt.Errorf("%w: a worker does not record %s", ErrIllegal, Name(event))
		}
	}
	return p.enter(entries, func(d *tx) error { return d.applyAll(p.session, p.id, events...) })
}

// Answered records the end of a tool call with its result, what the call changed in files, nil for
// nothing, and that the result reports these runs to the parent: their notifications are withdrawn.
// A run that the call waited for and that the result does not report owes its parent a notification
// from then on.
func (p *Port) Answered(entry Entry, end ToolEnded, changed *FilesChanged, told []Told) error {
	return p.enter([]Entry{entry}, func(d *tx) error {
		if err := d.apply(p.session, p.id, end); err != nil {
			return err
		}
		if changed != nil {
			whole := *changed
			whole.Call = end.Call
			if err := d.apply(p.session, p.id, whole); err != nil {
				return err
			}
		}
		if err := p.wrote(d, end.Wrote); err != nil {
			return err
		}
		for _, one := range told {
			if err := p.consume(d, one, entry.Call); err != nil {
				return err
			}
		}
		return p.s.leaveBehind(d, p.session, entry.Call)
	})
}

func (p *Port) enter(entries []Entry, marks func(*tx) error) error {
	return p.s.change(p.t, func(d *tx) error {
		err := marks(d)
		if d.run(p.id).State.Terminal() { // an entry without a record would pass
			err = ErrEnded
		}
		d.entries = append(d.entries, entries...)
		return err
	})
}

// consume records that a run's result stands in the transcript. Reporting the same run twice
// is allowed and changes nothing.
func (p *Port) consume(d *tx, told Told, call CallID) error {
	run := d.run(told.Run)
	if run.Parent != p.session {
		return fmt.Errorf("run %s: %w", told.Run, ErrUnknown)
	}
	if !run.State.Terminal() || run.Consumed != nil {
		return nil
	}
	if h := p.t.runs[told.Run]; h != nil && h.lost {
		return nil // its end is not in the log: the next start reports it
	}
	if run.Notification.Pending() {
		if err := d.apply(run.Session, run.ID, NotificationWithdrawn{By: told.By}); err != nil {
			return err
		}
	}
	return d.apply(run.Session, run.ID, Consumed{By: told.By, InRun: p.id, Call: call})
}

// Report makes p the newest progress of this run. It never waits.
func (p *Port) Report(progress Progress) {
	progress.Session, progress.Run, progress.At = p.session, p.id, now()
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.h.current().State.Terminal() {
		return
	}
	p.t.stamp++
	p.t.progress[p.id] = stamped[Progress]{p.t.stamp, progress}
	p.t.wakeWatchers()
}

// Ask puts a question to a person, waits for the answer, and records both. It
// returns ctx's cause when the run is stopped first.
func (p *Port) Ask(ctx context.Context, q Question) (Answer, error) {
	q.ID, q.Session, q.Run = NewQuestionID(), p.session, p.id
	if run := p.Run(); run.Subagent() {
		q.Who = run.Description
	}
	return p.s.ask(ctx, p.t, p.h, q)
}
