package acp

import (
	"context"
	"slices"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/lifecycle"
)

// turn is one prompt, from its message until the parent is idle again.
type turn struct {
	run     lifecycle.RunID     // that took the message; empty: it waits, or is not sent yet
	message lifecycle.MessageID // of one that has to wait for a step
	stopped bool                // by a cancel that came before it was sent
	over    bool
	done    chan struct{} // closed when it is over
	ending
}

// ending is what a prompt comes to.
type ending struct {
	reason sdk.StopReason
	err    error
}

// parents is what is known of the parent's runs and of the messages to it.
type parents struct {
	latest lifecycle.Run
	ends   map[lifecycle.RunID]*ending             // of each run: nil while it works
	taken  map[lifecycle.MessageID]lifecycle.RunID // messages, by the run that took them; none: withdrawn
}

func newParents() parents {
	return parents{ends: map[lifecycle.RunID]*ending{}, taken: map[lifecycle.MessageID]lifecycle.RunID{}}
}

// put notes how a run of the parent stands. Who hears of the past again knows a later
// one already.
func (p *parents) put(run lifecycle.Run) {
	if _, known := p.ends[run.ID]; !known || run.ID == p.latest.ID {
		p.latest = run
	}
	p.ends[run.ID] = nil
	if run.State.Terminal() {
		reason, err := verdict(run)
		p.ends[run.ID] = &ending{reason, err}
	}
}

// of is the end of a turn, once it has one: the first run that did not come to its
// own end says how, else the last one.
func (p *parents) of(t *turn) (ending, bool) {
	if t.message != "" {
		run, known := p.taken[t.message]
		switch {
		case known && run == "":
			return ending{reason: sdk.StopReasonCancelled}, true
		case known:
			t.run = run
		}
	}
	end, known := p.ends[t.run]
	last := p.ends[p.latest.ID]
	if !known || end == nil || last == nil {
		return ending{}, false
	}
	if end.err != nil || end.reason != sdk.StopReasonEndTurn {
		return *end, true
	}
	return *last, true
}

// place gives a prompt its place, first of all: a cancel may be close behind it.
func (s *session) place() *turn {
	t := &turn{done: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = append(s.turns, t)
	return t
}

// prompt sends the message of a turn and waits until the parent is idle.
func (s *session) prompt(ctx context.Context, t *turn, blocks []sdk.ContentBlock) (sdk.StopReason, error) {
	m, err := s.message(blocks)
	defer m.forget()
	if err != nil {
		s.mu.Lock()
		s.finish(t, ending{err: err})
		s.mu.Unlock()
		return "", err
	}
	s.giveNotices()
	reply, err := s.Route.Do(ctx, lifecycle.Send{Session: s.Snapshot.Root, Text: m.text.String(), Reach: m.reach})
	s.mu.Lock()
	switch {
	case err != nil:
		s.finish(t, ending{err: broken(err)})
	case reply.Message != "":
		t.message = reply.Message
	case len(reply.Runs) > 0:
		t.run = reply.Runs[0].ID
	}
	s.settle()
	stopped := t.stopped
	s.mu.Unlock()
	if stopped {
		_ = s.stop(ctx) // what keeps it from that is the prompt's own end
	}
	select {
	case <-t.done:
		return t.reason, t.err
	case <-ctx.Done():
		return "", broken(errCutOff)
	}
}

// stop stops the parent and the subagents that it waits for, also for a prompt that is
// still on its way to it.
func (s *session) stop(ctx context.Context) error {
	s.mu.Lock()
	for _, t := range s.turns {
		t.stopped = t.stopped || t.run == "" && t.message == ""
	}
	s.mu.Unlock()
	_, err := s.Route.Do(ctx, lifecycle.Stop{Session: s.Snapshot.Root, Cause: lifecycle.CauseCommand})
	return err
}

// settle ends the turns that are over. The caller holds the lock.
func (s *session) settle() {
	for _, t := range slices.Clone(s.turns) {
		if end, over := s.parents.of(t); over {
			s.finish(t, end)
		}
	}
}

// finish ends a turn, once. The caller holds the lock.
func (s *session) finish(t *turn, end ending) {
	if t.over {
		return
	}
	t.over, t.ending = true, end
	s.turns = slices.DeleteFunc(s.turns, func(one *turn) bool { return one == t })
	close(t.done)
}

// finishAll ends all turns.
func (s *session) finishAll(reason sdk.StopReason, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Clone(s.turns) {
		s.finish(t, ending{reason, err})
	}
}

// prompted says whether somebody waits for the parent.
func (s *session) prompted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.turns) > 0
}

// giveNotices tells what the user has to know and has not been told.
func (s *session) giveNotices() {
	if s.Notices == nil {
		return
	}
	for _, line := range s.Notices() {
		s.mu.Lock()
		known := s.noticed[line]
		s.noticed[line] = true
		s.mu.Unlock()
		if !known {
			s.send(aside(line))
		}
	}
}
