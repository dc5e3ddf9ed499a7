package lifecycle

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"
)

// drive is the goroutine of one run, from its start to its end.
func (s *Supervisor) drive(port *Port) {
	defer s.workers.Done()
	s.finish(port, s.protect(port.h.ctx, port))
}

// protect runs the worker, unless a stop came before it, and keeps a panic to
// its run. The stack goes to the log: people see one line.
func (s *Supervisor) protect(ctx context.Context, port *Port) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("a run panicked", "run", port.id, "panic", r, "stack", string(debug.Stack()))
			out = Outcome{Err: &Failure{Kind: FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", r)}}
		}
	}()
	if ctx.Err() != nil {
		return Outcome{Err: context.Cause(ctx)}
	}
	return s.options.Work(ctx, port)
}

// finish records the end of a run and all that follows from it, in one
// transaction. If that cannot be written the run is given up as not saved.
func (s *Supervisor) finish(port *Port, out Outcome) {
	t, h := port.t, port.h
	s.mu.Lock()
	end := h.run.verdict(context.Cause(h.ctx), out)
	c, err := s.end(t, h, end)
	s.mu.Unlock()
	if err = saved(c, err); err == nil {
		return
	}
	slog.Error("the end of a run was not saved", "run", port.id, "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.giveUp(t, h, err)
}

// end enters the end of one run: what was queued for it goes back or on, its
// parent is owed word, its slot goes to the next, and an idle parent is woken.
// The lock is held.
func (s *Supervisor) end(t *tree, h *handle, end Ended) (*change, error) {
	d := s.begin(t)
	if err := s.markEnd(d, h, end); err != nil {
		return nil, err
	}
	if err := s.follow(d, h.run.Session); err != nil {
		return nil, err
	}
	if err := s.startWaiting(d); err != nil {
		return nil, err
	}
	c := d.commit()
	s.endShells(t, h)
	return c, nil
}

// markEnd marks the end itself.
func (s *Supervisor) markEnd(d *tx, h *handle, end Ended) error {
	run := d.run(h.run.ID)
	if !run.follows(end.State) {
		for _, m := range d.Inbox(run.Session) {
			back := MessageWithdrawn{Message: m.ID, Returned: true, From: m.From, Text: m.Text}
			if err := d.apply(run.Session, run.ID, back); err != nil {
				return err
			}
		}
	}
	if err := d.apply(run.Session, run.ID, end); err != nil {
		return err
	}
	if !run.Child() {
		return s.resolveNotifications(d, run)
	}
	if d.run(run.ID).Owes() && (h.told == 0 || end.State != StateCanceledByAgent) {
		if err := d.apply(run.Session, run.ID, NotificationQueued{}); err != nil {
			return err
		}
	}
	return d.forgetShells(run)
}

// follows says whether messages that came too late for a run start the next one.
// After a stop, also one that met a completion, they go back to whoever wrote
// them: who stops does not want more. So they do when the run never came to its
// first step: the next one would not either, nor the one after that. One that has
// summed the conversation up takes none.
func (r Run) follows(end State) bool {
	switch end {
	case StateCompleted, StateCompletedEmpty, StateFailed:
		came := r.Step > 0 || r.Trigger == TriggerCompact && end == StateCompleted
		return came && r.StopRequestedAt.IsZero()
	case StateQueued, StateRunning, StateCanceledByUser, StateCanceledByAgent, StateInterrupted:
	}
	return false
}

// follow starts the next run of a session: the summary that its user asked for, or one for
// a queue that is not empty.
func (s *Supervisor) follow(d *tx, session SessionID) error {
	if started, err := s.runPendingCompact(d, session); started {
		return err
	}
	inbox := d.Inbox(session)
	if len(inbox) == 0 || s.closing {
		return nil
	}
	m := d.t.members[session]
	last := d.Latest(m.id)
	spec := d.t.again(m, last, TriggerMessage)
	spec.From = inbox[0].From
	if slices.ContainsFunc(inbox, func(m Message) bool { return m.From == FromAgent }) {
		spec.From = FromAgent // who was promised word of its end
	}
	if sent := inbox[0]; sent.Call != "" {
		spec.Call, spec.ParentRun = sent.Call, sent.InRun
	}
	_, err := s.spawn(d, session, spec)
	return err
}

// again is the spec of a further run of the same session: what it inherits, and
// nothing of what the last one was asked. It stands on the call that started the
// agent. A root's runs follow the seed, which the user may have changed since.
func (t *tree) again(m *member, last Run, trigger Trigger) Spec {
	spec := last.Spec
	spec.Call, spec.ParentRun = m.spec.Call, m.spec.ParentRun
	if !last.Subagent() {
		spec = t.seed
	}
	spec.Trigger, spec.Prompt, spec.From, spec.Attached = trigger, "", "", nil
	spec.Background = last.Subagent()
	return spec
}

// watchStop says so when a stopped run does not end in time.
func (s *Supervisor) watchStop(t *tree, h *handle) {
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-h.done:
		return
	case <-timer.C:
	}
	_ = s.change(t, func(d *tx) error { // refused if it has ended meanwhile
		return d.apply(h.run.Session, h.run.ID, Warned{Kind: WarnSlowStop, Message: fmt.Sprintf("asked to stop, still ending after %s", stopGrace)})
	})
}
