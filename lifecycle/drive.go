package lifecycle

import (
	"context"
	"errors"
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

// protect runs the worker, unless a stop came first. A panic fails only its run; the stack
// goes to the log, and people see one line.
func (s *Supervisor) protect(ctx context.Context, port *Port) (out Outcome) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("a run panicked", "run", port.id, "panic", r, "stack", string(debug.Stack()))
			out = Outcome{Err: &Failure{Kind: FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", r)}}
		}
	}()
	if ctx.Err() != nil && !port.h.kept { // what works elsewhere at a kept run must be told
		return Outcome{Err: context.Cause(ctx)}
	}
	return s.options.Work(ctx, port)
}

// finish records the end of a run and all that follows from it, in one
// transaction. If that cannot be written the run is given up as not saved.
// A run that was left has not ended.
func (s *Supervisor) finish(port *Port, out Outcome) {
	t, h := port.t, port.h
	if out.Err != nil && errors.Is(context.Cause(h.ctx), ErrLeft) {
		return
	}
	s.mu.Lock()
	end := h.run.verdict(context.Cause(h.ctx), out)
	c, err := s.end(t, h, end)
	s.mu.Unlock()
	if err = saved(c, err); err == nil {
		if out.Saved != nil {
			out.Saved()
		}
		return
	}
	slog.Error("the end of a run was not saved", "run", port.id, "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.giveUp(t, h, err)
}

// end enters the end of one run: waiting messages go back or start another run, the parent
// is owed a notification, the slot goes to the next run, and an idle parent is woken. The
// lock is held.
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
	asides := d.asidesOf(run.Session)
	if err := d.apply(run.Session, run.ID, end); err != nil {
		return err
	}
	d.tell(run, asides)
	if !run.Child() {
		if err := s.resolveNotifications(d, run); err != nil {
			return err
		}
		return d.tellUserShells(run.Session)
	}
	if d.run(run.ID).Owes() && (h.told == 0 || end.State != StateCanceledByAgent) {
		if err := d.apply(run.Session, run.ID, NotificationQueued{}); err != nil {
			return err
		}
	}
	if run.UserShell() {
		return d.tellUserShells(run.Parent)
	}
	if err := d.forgetShells(run); err != nil || run.Shell() {
		return err
	}
	return d.tellUserShells(run.Session)
}

// follows reports whether messages that came too late for a run start another. After a
// stop, even one that came too late, they go back to their writer, who does not want more.
// So they do if the run never came to its first step, because the next one would fail like
// it. A run that only summarizes takes no messages, so those that came meanwhile do.
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
		spec.From, spec.Allowed = FromAgent, last.Allowed // which was promised a notification, and has no more to give
	}
	if sent := inbox[0]; sent.Call != "" {
		spec.Call, spec.ParentRun = sent.Call, sent.InRun
	}
	_, err := s.spawn(d, session, spec)
	return err
}

// again is the spec of a further run of a session: what it inherits of the last one, without
// its prompt. It stands on the call that started the agent. A root's runs use the seed, which
// the user may have changed.
func (t *tree) again(m *member, last Run, trigger Trigger) Spec {
	spec := last.Spec
	spec.Call, spec.ParentRun = m.call, m.parentRun
	if !last.Subagent() {
		spec = t.seed
	}
	spec.Trigger, spec.Prompt, spec.From, spec.Attached, spec.Allowed = trigger, "", "", nil, nil
	spec.Background = last.Subagent()
	return spec
}

// watchStop records a warning if a stopped run does not end in time.
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
