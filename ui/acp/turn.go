package acp

import (
	"context"
	"slices"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/lifecycle"
)

// turn is one prompt, from its message until the parent is idle again.
type turn struct {
	run     lifecycle.RunID     // the run that took the message; empty: none yet
	message lifecycle.MessageID // set if the message waits for a step
	stopped bool                // cancelled before it was sent
	over    bool
	done    chan struct{} // closed when over is set
	ending
}

// ending is the result of a prompt.
type ending struct {
	reason sdk.StopReason
	err    error
}

// parents is what is known of the parent's runs and of the messages to it.
type parents struct {
	latest   lifecycle.Run
	ends     map[lifecycle.RunID]*ending             // by run: nil while it works
	taken    map[lifecycle.MessageID]lifecycle.RunID // the run that took each message; empty if it was withdrawn
	returned map[lifecycle.MessageID]lifecycle.RunID // the run that ended and gave each message back
}

func newParents() parents {
	return parents{
		ends:  map[lifecycle.RunID]*ending{},
		taken: map[lifecycle.MessageID]lifecycle.RunID{}, returned: map[lifecycle.MessageID]lifecycle.RunID{},
	}
}

// put notes the state of a run of the parent. When the past is sent again a later run may be
// known already.
func (p *parents) put(run lifecycle.Run) {
	if _, known := p.ends[run.ID]; !known || run.ID == p.latest.ID {
		p.latest = run
	}
	p.ends[run.ID] = nil
	if run.State.Terminal() {
		reason, err := stopReason(run)
		p.ends[run.ID] = &ending{reason, err}
	}
}

// of returns the end of a turn, if it is over: that of the first run that did not complete, or
// else of the last one. A message that came back ends as the run that gave it back, and as cancelled if that completed.
func (p *parents) of(t *turn) (ending, bool) {
	if t.message != "" {
		if run, known := p.returned[t.message]; known {
			return p.unanswered(run)
		}
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

func (p *parents) unanswered(run lifecycle.RunID) (ending, bool) {
	switch end := p.ends[run]; {
	case end == nil:
		return ending{}, false
	case end.err == nil && end.reason == sdk.StopReasonEndTurn:
		return ending{reason: sdk.StopReasonCancelled}, true
	default:
		return *end, true
	}
}

// place gives a prompt its place before anything else: a cancel may follow at once.
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
	s.announce()
	var command lifecycle.Command = lifecycle.Send{Session: s.Snapshot.Root, Text: m.text.String(), Reach: m.reach}
	compact, compacting := s.compacting(m.text.String())
	if compacting {
		command = compact
	}
	reply, err := s.Route.Do(ctx, command)
	if compacting {
		s.sayCompacting(reply, err)
	}
	s.mu.Lock()
	switch {
	case err != nil && compacting:
		s.finish(t, ending{reason: sdk.StopReasonEndTurn})
	case err != nil && t.stopped: // the stop has reached it while it was read
		s.finish(t, ending{reason: sdk.StopReasonCancelled})
	case err != nil:
		s.finish(t, ending{err: broken(err)})
	case reply.Message != "":
		t.message = reply.Message
	case len(reply.Runs) > 0:
		t.run = reply.Runs[0].ID
	}
	s.settle()
	stopped := t.stopped && !t.over
	s.mu.Unlock()
	if stopped {
		_ = s.stop(ctx) // a failure shows in the prompt's own end
	}
	select {
	case <-t.done:
		s.giveNotices() // a server may have failed to start meanwhile
		return t.reason, t.err
	case <-ctx.Done():
		return "", broken(errCutOff)
	}
}

// stop stops the parent and the subagents that it waits for, and prompts that have not reached
// it yet.
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

func (s *session) finishAll(reason sdk.StopReason, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range slices.Clone(s.turns) {
		s.finish(t, ending{reason, err})
	}
}

// endsWith reports whether a prompt ends, or may end, as this run of the parent did.
func (s *session) endsWith(run lifecycle.RunID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.turns, func(t *turn) bool {
		if t.run == "" && t.message == "" { // which run it is for is not known yet
			return true
		}
		end, over := s.parents.of(t)
		return over && end == *s.parents.ends[run]
	})
}

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
