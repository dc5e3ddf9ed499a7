package lifecycle

import (
	"context"
	"fmt"
	"slices"
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
	request int64 // of the process that works at it elsewhere: see At; 0: none
}

// Run is the run as the journal has it now.
func (p *Port) Run() Run {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.t.saved.Run(p.id)
}

// Kept reports whether an earlier process of Pawl began this run of IsolationRemote and left it as it
// is: a worker on another machine may still be at it.
func (p *Port) Kept() bool { return p.h.kept }

// Spent is what the whole session has spent so far, as the journal has it: all
// runs of the root and of its subagents, also those of earlier processes.
func (p *Port) Spent() Usage {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.t.saved.Spent()
}

// ShellsAtWork reports whether commands of this run's session have not ended: those that its model has
// started, which end with it but later, and one of the user's own.
func (p *Port) ShellsAtWork() bool {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return slices.ContainsFunc(p.t.open, func(id RunID) bool {
		run := p.t.runs[id].current()
		return run.Shell() && run.Parent == p.session && !run.State.Terminal()
	})
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
	var entries []Entry
	c, err := p.serve(func(d *tx) error {
		err := p.takeIn(d, read)
		entries = d.entries
		return err
	})
	p.s.mu.Unlock()
	return entries, saved(c, err)
}

func (p *Port) takeIn(d *tx, read map[wording][]Enclosure) error {
	step, asides := d.run(p.id).Step+1, d.asidesOf(p.session)
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
	p.tellOverlaps(d)
	d.tell(d.run(p.id), asides)
	return nil
}

// deliver delivers every notification that the session is owed. The number of remaining runs
// includes subagents and shells, because a model that counts waits for both.
func (p *Port) deliver(d *tx, step int) error {
	remaining := 0
	for _, id := range p.t.open {
		if run := d.run(id); run.Parent == p.session && !run.UserShell() && !run.State.Terminal() {
			remaining++
		}
	}
	in := d.run(p.id)
	for _, run := range d.Owed(p.session) {
		if err := d.tellEnd(run, in, step, remaining); err != nil {
			return err
		}
	}
	return nil
}

// tellEnd delivers the notification of a run at a step of a run of its parent.
func (d *tx) tellEnd(run, in Run, step, remaining int) error {
	err := d.applyAll(run.Session, run.ID,
		NotificationDelivered{InRun: in.ID, Step: step},
		Consumed{By: ByNotification, InRun: in.ID})
	if err != nil {
		return err
	}
	d.entries = append(d.entries, notice(run, remaining).entry(in.Session, in.ID))
	return nil
}

// Record writes what the worker did, with the transcript entries that belong to it, in one
// transaction. It refuses events that only the supervisor records.
func (p *Port) Record(entries []Entry, events ...Event) error {
	for _, event := range events {
		switch event.(type) {
		case Waiting, Text, Thinking, ToolStarted, ToolEnded, Searched, FilesChanged, UsageReported, Warned, Nudged, Compacted, PermissionDenied:
		default:
			return fmt.Errorf("%w: a worker does not record %s", ErrIllegal, Name(event))
		}
	}
	return p.enter(entries, func(d *tx) error {
		asked := len(d.run(p.id).Asked)
		if err := d.applyAll(p.session, p.id, events...); err != nil || len(d.run(p.id).Asked) == asked {
			return err
		}
		return p.s.startWaiting(d) // questions that a lost worker leaves held the parent back
	})
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
	p.s.mu.Lock()
	c, err := p.serve(func(d *tx) error {
		err := marks(d)
		if d.run(p.id).State.Terminal() { // an entry without a record would pass
			err = ErrEnded
		}
		d.entries = append(d.entries, entries...)
		return err
	})
	p.s.mu.Unlock()
	return saved(c, err)
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
	if answer, asked, err := p.askedBefore(ctx, q); asked || err != nil {
		return answer, err
	}
	return p.ask(ctx, q)
}
