package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"pawl/internal/words"
)

// Do carries out a command and returns when that is on disk. It is the one way to every
// session, parent or subagent. A stop returns when it is requested; the log says when the
// run has ended.
func (s *Supervisor) Do(ctx context.Context, command Command) (Reply, error) {
	rulesAdded, err := s.keepRules(command)
	if err != nil {
		return Reply{}, err
	}
	reply, c, err := s.carry(ctx, command)
	if err := saved(c, err); err != nil {
		return Reply{}, err
	}
	if rulesAdded {
		s.settleCovered()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, run := range reply.Runs { // as saved, not as they were when asked
		for _, t := range s.trees {
			if now := t.saved.get(run.ID); now.ID != "" {
				reply.Runs[i] = *now
			}
		}
	}
	return reply, nil
}

// carryOut is the switch over the closed set of commands. The lock is held.
func (s *Supervisor) carryOut(command Command, attached Attached) (Reply, *change, error) {
	switch c := command.(type) {
	case Send:
		return s.send(c.Session, incoming{from: FromUser, text: c.Text, reach: c.Reach, attached: attached})
	case RunShell:
		return s.runShell(c)
	case EditMessage:
		return s.requeue(c.Session, MessageEdited{Message: c.Message, Text: c.Text, Reach: c.Reach})
	case MoveMessage:
		return s.requeue(c.Session, MessageMoved{Message: c.Message, To: c.To})
	case WithdrawMessage:
		return s.requeue(c.Session, MessageWithdrawn{Message: c.Message})
	case Stop:
		return s.stop(c)
	case StopForeground:
		return s.stopForeground(c)
	case StopAll:
		return s.stopAll(c)
	case Detach:
		return s.detach(c.Session, func(d *tx) []Run { return []Run{d.Latest(c.Session)} })
	case DetachForeground:
		return s.detach(c.Session, func(d *tx) []Run { return d.Awaited(c.Session) })
	case Resolve:
		return s.resolve(c.Question, c.Answer)
	case Grant:
		return s.grantDenied(c)
	case Leave:
		return s.leaveSession(c.Session)
	case Continue:
		return s.resume(c.Session)
	case Compact:
		return s.compact(c)
	}
	return Reply{}, nil, fmt.Errorf("%T is not one of the commands", command)
}

// incoming is a text for a session, with the tool call of the parent's model if that sends it.
type incoming struct {
	from, text string
	reach      []string // as of Message
	attached   Attached // if it starts a run
	run        RunID
	call       CallID
	with       []Event // recorded together with it, on the run that gets it
	then       func()  // once it is on disk; nil is allowed
}

// send puts a message into the queue of a busy session, or starts a run with it as the prompt.
func (s *Supervisor) send(session SessionID, what incoming) (Reply, *change, error) {
	t, err := s.treeOf(session)
	if err != nil {
		return Reply{}, nil, err
	}
	if strings.TrimSpace(what.text) == "" {
		return Reply{}, nil, errBlank
	}
	d := s.begin(t)
	if what.then != nil {
		d.then(what.then)
	}
	if session == t.root {
		d.then(t.userWrote)
	}
	spec := t.seed // of a root's first run
	if m, begun := t.members[session]; begun {
		last := t.get(t.latest[m.id])
		if last.Shell() {
			return Reply{}, nil, errShellTakesNoMessage
		}
		if what.from == FromUser && session != t.root {
			d.then(func() { m.attended = true })
		}
		if !last.State.Terminal() {
			message := Message{ID: NewMessageID(), From: what.from, Text: what.text, Reach: what.reach, Call: what.call, InRun: what.run}
			if err := d.applyAll(session, last.ID, append(what.with, MessageQueued{message})...); err != nil {
				return Reply{}, nil, err
			}
			return Reply{Runs: []Run{*last}, Message: message.ID}, d.commit(), nil
		}
		spec = t.again(m, *last, TriggerMessage)
	}
	spec.Prompt, spec.From = what.text, what.from
	if spec.Parent == "" {
		spec.Trigger = TriggerUser
	}
	if what.call != "" {
		spec.Call, spec.ParentRun = what.call, what.run
	}
	spec.Model, spec.Effort = cmp.Or(what.attached.Model, spec.Model), cmp.Or(what.attached.Effort, spec.Effort)
	spec.Allowed = what.attached.Allowed
	id, err := s.launch(d, session, spec, what.attached.Enclosures...)
	if err != nil {
		return Reply{}, nil, err
	}
	if err := d.applyAll(session, id, what.with...); err != nil {
		return Reply{}, nil, err
	}
	return Reply{Runs: []Run{d.run(id)}}, d.commit(), nil
}

// leaveSession notes that the person who wrote to a subagent no longer looks at it.
func (s *Supervisor) leaveSession(session SessionID) (Reply, *change, error) {
	_, m, err := s.member(session)
	if err == nil {
		m.attended = false
	}
	return Reply{}, nil, err
}

// userWrote lets the parent wake by itself again.
func (t *tree) userWrote() {
	t.reopened = false
	t.hold(false)
}

// hold says whether everything was stopped and the user has not written since. The lock is held.
func (t *tree) hold(held bool) {
	if t.held != held {
		t.held = held
		t.stamp++
		t.wakeWatchers()
	}
}

// errBlank reports a message without text, which no model accepts.
var errBlank = errors.New("the message has no text: write some, or withdraw it if it waits")

// requeue changes the queue of a session.
func (s *Supervisor) requeue(session SessionID, event Event) (Reply, *change, error) {
	if edit, _ := event.(MessageEdited); edit.Message != "" && strings.TrimSpace(edit.Text) == "" {
		return Reply{}, nil, errBlank
	}
	t, _, err := s.member(session)
	if err != nil {
		return Reply{}, nil, err
	}
	d := s.begin(t)
	if err := d.apply(session, t.latest[session], event); err != nil {
		if errors.Is(err, ErrEnded) {
			err = errors.New("the message is no longer waiting: the run has ended")
		}
		return Reply{}, nil, err
	}
	return Reply{}, d.commit(), nil
}

func (s *Supervisor) stop(c Stop) (Reply, *change, error) {
	t, err := s.treeOf(c.Session)
	if err != nil {
		return Reply{}, nil, err
	}
	wasRead := t.stopUnsent(func(session SessionID) bool { return session == c.Session })
	_, m, err := s.member(c.Session)
	if wasRead && (err != nil || t.Latest(m.id).State.Terminal()) {
		return Reply{}, nil, nil
	}
	if err != nil {
		return Reply{}, nil, err
	}
	h := t.handle(t.latest[m.id])
	if c.Session == t.root {
		t.pendingCompact = nil
	}
	reply := Reply{Runs: []Run{*h.run}}
	change, err := s.stopRun(t, h, c.Cause, c.Reason)
	return reply, change, err
}

func (s *Supervisor) stopForeground(c StopForeground) (Reply, *change, error) {
	t, _, err := s.member(c.Session)
	if err != nil {
		return Reply{}, nil, err
	}
	ids, change := s.stopOpen(t, c.Cause, func(r Run) bool { return r.Parent == c.Session && r.Awaited() })
	return t.reply(ids), change, nil
}

func (s *Supervisor) stopAll(c StopAll) (Reply, *change, error) {
	t, err := s.tree(c.Root)
	if err != nil {
		return Reply{}, nil, err
	}
	t.hold(true) // before the ends, or the first of them would wake the parent
	t.pendingCompact = nil
	t.setWaking(false)
	t.stopUnsent(func(SessionID) bool { return true })
	ids, change := s.stopOpen(t, c.Cause, func(Run) bool { return true })
	return t.reply(ids), change, nil
}

func (t *tree) reply(ids []RunID) Reply {
	var reply Reply
	for _, id := range ids {
		reply.Runs = append(reply.Runs, t.Run(id))
	}
	return reply
}

// detach sends runs that a session names to the background, as many as the limit lets go.
func (s *Supervisor) detach(session SessionID, which func(*tx) []Run) (Reply, *change, error) {
	t, _, err := s.member(session)
	if err != nil {
		return Reply{}, nil, err
	}
	d := s.begin(t)
	var reply Reply
	var refused error
	for _, run := range which(d) {
		if err := s.markDetached(d, run); err != nil {
			refused = err // another may still go: one on another machine takes no slot of this one
			continue
		}
		reply.Runs = append(reply.Runs, d.run(run.ID))
	}
	switch {
	case refused != nil && len(reply.Runs) == 0:
		return Reply{}, nil, refused
	case refused != nil:
		reply.Refused = refused.Error()
	}
	if err := s.startWaiting(d); err != nil {
		return Reply{}, nil, err
	}
	return reply, d.commit(), nil
}

func (s *Supervisor) markDetached(d *tx, run Run) error {
	switch {
	case !run.Child():
		return errors.New("only a subagent can be sent to the background")
	case run.State.Terminal():
		return fmt.Errorf("%q has ended: %s", run.Description, run.State)
	case !run.Subagent() || run.Background:
		return fmt.Errorf("%q is in the background already", run.Description)
	}
	if run.Remote() { // it keeps its slot
		return d.apply(run.Session, run.ID, Detached{})
	}
	slots := d.slotsOf(PoolBackground, s.options.Limits)
	full := slots.Running >= slots.Limit
	if full && (run.State == StateRunning || slots.Queued >= s.options.Limits.Queue) {
		return fmt.Errorf("%w: %s already, and %s; stop one of them, or wait", ErrNoSlot,
			words.CountOf(slots.Running, "subagent runs in the background", "subagents run in the background"), words.CountOf(slots.Queued, "waits", "wait"))
	}
	return d.apply(run.Session, run.ID, Detached{})
}

// The prompts of a run with which a person continues one that did not get to its end.
const (
	promptAfterInterruption = "Your last run was interrupted when the process ended. Continue where it stopped; check what is already done before you repeat anything."
	promptAfterLoss         = "Your last run was interrupted when the machine that it ran on was lost, and what it changed there did not come back. Continue where it stopped; check what is already done before you repeat anything."
	promptAfterFailure      = "Your last run failed because the model's server could not be used. Continue where it stopped; check what is already done before you repeat anything."
)

// resume continues a session from its transcript.
func (s *Supervisor) resume(session SessionID) (Reply, *change, error) {
	t, m, err := s.member(session)
	if err != nil {
		return Reply{}, nil, err
	}
	last := t.get(t.latest[m.id])
	if last.Shell() {
		return Reply{}, nil, errShellNotResumable
	}
	if !last.Resumable() {
		return Reply{}, nil, fmt.Errorf("%s is %s: only an interrupted run can be continued, and the main agent's after a failure of the model's server", quoted(last), last.State)
	}
	if last.Trigger == TriggerCompact {
		return s.compact(Compact{Session: session, Instructions: last.Prompt})
	}
	d := s.begin(t)
	spec := t.again(m, *last, TriggerContinue)
	spec.Prompt, spec.From, spec.Allowed = promptAfterInterruption, FromPawl, last.Allowed
	switch {
	case last.State == StateFailed:
		spec.Prompt = promptAfterFailure
	case last.Cause == CauseWorkerLost:
		spec.Prompt = promptAfterLoss
	}
	id, err := s.launch(d, session, spec)
	if err != nil {
		return Reply{}, nil, err
	}
	if session == t.root {
		d.then(t.userWrote)
	}
	return Reply{Runs: []Run{d.run(id)}}, d.commit(), nil
}
