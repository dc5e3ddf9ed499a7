package lifecycle

import "errors"

var (
	errSumsUpItself = errors.New("a subagent summarizes its conversation by itself when it becomes long")
	errSummingUp    = errors.New("the conversation is being summarized already")
	errNothingYet   = errors.New("there is nothing to summarize yet")
)

// compact starts the run that summarizes a root's conversation, or keeps the command until the
// run under way has ended. Unlike a message it does not let the parent wake by itself again.
func (s *Supervisor) compact(c Compact) (Reply, *change, error) {
	t, err := s.treeOf(c.Session)
	if err != nil {
		return Reply{}, nil, err
	}
	m, begun := t.members[t.root]
	switch {
	case c.Session != t.root:
		return Reply{}, nil, errSumsUpItself
	case !begun:
		return Reply{}, nil, errNothingYet
	case s.closing:
		return Reply{}, nil, ErrClosing
	}
	last := t.Latest(m.id)
	switch {
	case last.State.Terminal():
		d := s.begin(t)
		id, err := s.sumUp(d, c)
		if err != nil {
			return Reply{}, nil, err
		}
		return Reply{Runs: []Run{d.run(id)}}, d.commit(), nil
	case last.Trigger == TriggerCompact:
		return Reply{}, nil, errSummingUp
	}
	t.pendingCompact = &c
	return Reply{Runs: []Run{last}, Later: true}, nil, nil
}

// sumUp spawns that run. Its prompt is the instructions for the summary.
func (s *Supervisor) sumUp(d *tx, c Compact) (RunID, error) {
	m := d.t.members[d.t.root]
	spec := d.t.again(m, d.Latest(m.id), TriggerCompact)
	spec.Prompt, spec.From = c.Instructions, FromUser
	return s.spawn(d, d.t.root, spec)
}

// runPendingCompact carries out the command that was kept, as part of the change that ends the
// run it waited for. It reports whether there was one. The lock is held.
func (s *Supervisor) runPendingCompact(d *tx, session SessionID) (bool, error) {
	t, pending := d.t, d.t.pendingCompact
	if pending == nil || session != t.root || s.closing {
		return false, nil
	}
	d.then(func() {
		if t.pendingCompact == pending {
			t.pendingCompact = nil
		}
	})
	_, err := s.sumUp(d, *pending)
	return true, err
}
