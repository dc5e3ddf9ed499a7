package remote

import (
	"errors"
	"fmt"

	"pawl/agent"
	"pawl/lifecycle"
)

// change records what a worker did. A request that is recorded already, because an earlier host
// was cut off before it could say so, is answered as it would have been.
func (c *workerConn) change(m fromWorker) (entries []lifecycle.Entry, err error) {
	if c.host.Number == nil {
		return change(c.port, m)
	}
	if err := ownFolder(c.port.Run(), unwrapped(m.Events)); err != nil {
		return nil, err
	}
	switch run := c.port.Run(); {
	case m.ID <= run.Request && m.Act == actStep:
		return c.entriesSince(run, m.Have)
	case m.ID <= run.Request:
		return nil, nil
	case c.failed != nil: // or a later one would say that this one is recorded
		return nil, c.failed
	case len(m.Entries) > 0 && len(m.Events) == 0:
		return nil, errors.New("entries without an event, which have no record that could be numbered")
	}
	entries, c.failed = change(c.host.Number(c.port, m.ID), m)
	return entries, c.failed
}

// entriesSince are the entries of the transcript that a worker with so many of them has not got.
func (c *workerConn) entriesSince(run lifecycle.Run, have int) ([]lifecycle.Entry, error) {
	all, err := c.host.Entries(c.ctx, run.Session)
	if err != nil {
		return nil, err
	}
	if have < 0 || have > len(all) {
		return nil, fmt.Errorf("its process has %d entries of the transcript, of %d", have, len(all))
	}
	return all[have:], nil
}

// change records what a worker did through a port.
func change(port agent.Port, m fromWorker) ([]lifecycle.Entry, error) {
	switch m.Act {
	case actStep:
		return port.Step()
	case actAnswered:
		return nil, answered(port, m)
	default:
		return nil, port.Record(m.Entries, unwrapped(m.Events)...)
	}
}

func answered(port agent.Port, m fromWorker) error {
	if len(m.Entries) != 1 || len(m.Events) < 1 || len(m.Events) > 2 {
		return errors.New("not exactly one result, its end and at most what it changed")
	}
	end, ok := m.Events[0].is.(lifecycle.ToolEnded)
	if !ok {
		return errors.New("the event is not the end of a call")
	}
	if len(m.Events) == 1 {
		return port.Answered(m.Entries[0], end, nil, m.Told)
	}
	changed, ok := m.Events[1].is.(lifecycle.FilesChanged)
	if !ok {
		return errors.New("the event is not what a call changed in files")
	}
	return port.Answered(m.Entries[0], end, &changed, m.Told)
}
