package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Told is a run whose result a tool result gives to the parent's model.
type Told struct {
	Run RunID
	By  Consumer
}

// Scope is a session's authority over its own subagents and shells, and nothing else: it can
// start, list, read, message and stop them. Tools get it with a call. All methods may be
// called from any goroutine.
type Scope struct {
	s      *Supervisor
	t      *tree
	parent SessionID
	run    RunID
	like   Spec // of the calling run: what its children inherit
}

// ErrDepth reports a subagent that tried to start another.
var ErrDepth = errors.New("subagents do not start subagents: do the work yourself, or say in your result what should be delegated")

// Start starts the first run of a new subagent session or, with resume, a further run of an
// ended one. It returns once the run is on disk, queued or running. It sets root and parent;
// folder, model and effort are the parent's if the spec names none.
func (sc *Scope) Start(spec Spec, resume SessionID) (Run, error) {
	return sc.StartInTurn(spec, resume, func() {})
}

// StartInTurn is Start for one of several runs that have an order. It calls placed once the
// run has its place, before that is on disk, so that the next may start and share its
// transaction. It does not call placed if nothing is started.
func (sc *Scope) StartInTurn(spec Spec, resume SessionID, placed func()) (Run, error) {
	sc.s.mu.Lock()
	c, id, err := sc.start(spec, resume)
	sc.s.mu.Unlock()
	if err == nil {
		placed()
	}
	return sc.saved(c, id, err)
}

// saved is a run that was asked for, once it is on disk.
func (sc *Scope) saved(c *change, id RunID, err error) (Run, error) {
	if err := saved(c, err); err != nil {
		return Run{}, err
	}
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	return sc.t.saved.Run(id), nil
}

func (sc *Scope) start(spec Spec, resume SessionID) (*change, RunID, error) {
	if sc.parent != sc.t.root {
		return nil, "", ErrDepth
	}
	if err := sc.stopped(); err != nil {
		return nil, "", err
	}
	spec.Root, spec.Parent, spec.ParentRun = sc.t.root, sc.parent, sc.run
	spec.Trigger, spec.From, spec.Allowed = TriggerAgent, FromAgent, sc.like.Allowed
	session := NewSessionID()
	if resume != "" {
		h, err := sc.latest(resume)
		if err != nil {
			return nil, "", err
		}
		if h.run.Shell() {
			return nil, "", errShellNotResumable
		}
		if !h.run.State.Terminal() {
			return nil, "", fmt.Errorf("agent %s is %s: use agent_send to speak to it", resume, h.run.State)
		}
		session = resume
		spec.Type, spec.Isolation, spec.Folder, spec.Branch = h.run.Type, h.run.Isolation, h.run.Folder, h.run.Branch
		spec.Labels, spec.Idempotent = h.run.Labels, h.run.Idempotent
		spec.Model, spec.Effort = cmp.Or(spec.Model, h.run.Model), cmp.Or(spec.Effort, h.run.Effort)
	}
	spec.Effort = cmp.Or(spec.Effort, sc.like.Effort)
	spec.Model, spec.Folder = cmp.Or(spec.Model, sc.like.Model), cmp.Or(spec.Folder, sc.like.Folder)
	d := sc.s.begin(sc.t)
	id, err := sc.s.launch(d, session, spec)
	if err != nil {
		return nil, "", err
	}
	return d.commit(), id, nil
}

// Runs lists all runs of the session's own subagents and its shells, oldest first.
func (sc *Scope) Runs() []Run {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	var runs []Run
	for _, id := range sc.t.order {
		if run := sc.t.current(id); run.ID != "" && sc.owns(run.Parent, run.UserShell()) {
			runs = append(runs, run)
		}
	}
	return runs
}

// Latest is the newest run of one of the session's own subagents whose start is on disk.
func (sc *Scope) Latest(agent SessionID) (Run, error) {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	h, err := sc.latest(agent)
	if err != nil {
		return Run{}, err
	}
	if run := h.current(); run.ID != "" {
		return run, nil
	}
	if before := sc.t.saved.Latest(agent); before.ID != "" {
		return sc.t.handle(before.ID).current(), nil
	}
	return Run{}, fmt.Errorf("agent %s: %w among the subagents of this session", agent, ErrUnknown)
}

// Slots says how many background runs may still start.
func (sc *Scope) Slots() Slots {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	return sc.t.Slots(sc.s.options.Limits)
}

// Activity is what a run does now, in one line.
func (sc *Scope) Activity(run Run) string {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	return run.Activity(sc.t.progress[run.ID].value, now())
}

// Position is a queued run's place in line, 1 for the next; 0 if it is not queued.
func (sc *Scope) Position(id RunID) int {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	return sc.t.Position(id)
}

// Send gives a subagent a message. It returns the run that will take it in: the current one,
// or a new one in the background.
func (sc *Scope) Send(agent SessionID, text string, call CallID) (Run, error) {
	s := sc.s
	s.mu.Lock()
	_, err := sc.latest(agent)
	var reply Reply
	var c *change
	if err == nil {
		err = sc.stopped()
	}
	if err == nil {
		reply, c, err = s.send(agent, incoming{from: FromAgent, text: text, attached: Attached{Allowed: sc.like.Allowed}, run: sc.run, call: call})
	}
	s.mu.Unlock()
	if err := saved(c, err); err != nil {
		return Run{}, err
	}
	return sc.Latest(reply.Runs[0].Session)
}

// Records reads the log of one subagent after a record, at most limit records.
func (sc *Scope) Records(ctx context.Context, agent SessionID, after Seq, limit int) ([]Record, error) {
	if _, err := sc.Latest(agent); err != nil {
		return nil, err
	}
	var own []Record
	for len(own) < limit {
		records, err := sc.s.options.Journal.Records(ctx, sc.t.root, after, page)
		if err != nil || len(records) == 0 {
			return own, err
		}
		for _, rec := range records {
			if rec.Session == agent && len(own) < limit {
				own = append(own, rec)
			}
		}
		after = records[len(records)-1].Seq
	}
	return own, nil
}

// stopped returns why the calling run may start nothing more, if somebody has asked for its
// end. The lock is held.
func (sc *Scope) stopped() error {
	if h := sc.t.handle(sc.run); h != nil {
		return context.Cause(h.ctx)
	}
	return nil
}

// owns reports whether a child of this parent is within this authority: a command of the user's own is not.
func (sc *Scope) owns(parent SessionID, users bool) bool { return parent == sc.parent && !users }

// latest finds an own subagent. The lock is held.
func (sc *Scope) latest(agent SessionID) (*handle, error) {
	m, ok := sc.t.members[agent]
	if !ok || !sc.owns(m.parent, m.users) {
		return nil, fmt.Errorf("agent %s: %w among the subagents of this session", agent, ErrUnknown)
	}
	return sc.t.handle(sc.t.latest[m.id]), nil
}

func (sc *Scope) own(id RunID) (*handle, error) {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	h := sc.t.handle(id)
	if h == nil || !sc.owns(h.run.Parent, h.run.UserShell()) {
		return nil, fmt.Errorf("run %s: %w among the subagents of this session", id, ErrUnknown)
	}
	return h, nil
}

func (sc *Scope) read(h *handle) Run {
	sc.s.mu.Lock()
	defer sc.s.mu.Unlock()
	if now := sc.t.handle(h.run.ID); now != nil {
		return now.current()
	}
	return h.current() // it never came to be
}

// current is the run as others may see it: as saved or, if its end could not be saved, as it
// ended.
func (h *handle) current() Run {
	if h.lost {
		return *h.run
	}
	return *h.saved
}
