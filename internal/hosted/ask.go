package hosted

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pawl/internal/fleet"
	"pawl/lifecycle"
)

// How long a host may take to carry out an order.
const (
	askLimit = 30 * time.Second // what it records may wait for a busy database
	sayLimit = 3 * time.Minute  // a command of the user's may run programs, and wait for servers of MCP, before that
)

// Ask sends one order, as fleet.Ask does, and bounds the wait.
func (s *Session) Ask(ctx context.Context, order any) (fleet.Reply, error) {
	return s.askWithin(ctx, askLimit, order)
}

func (s *Session) askWithin(ctx context.Context, limit time.Duration, order any) (fleet.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return fleet.Ask(ctx, s.conn, order)
}

// Message says a text to a session, the root if that is empty.
type Message struct {
	Type    string              `json:"type"`
	Text    string              `json:"text"`
	Session lifecycle.SessionID `json:"session,omitempty"`
}

// Say sends a text to the session that was named. It says so where that may have arrived without a reply.
func (s *Session) Say(ctx context.Context, text string) (fleet.Reply, error) {
	reply, err := s.askWithin(ctx, sayLimit, Message{"message", text, s.Named})
	if errors.Is(err, fleet.ErrUnanswered) {
		err = fmt.Errorf("%w; %w", err, fleet.ErrUnanswered)
	}
	return reply, err
}

// Stop stops the run of a session, or everything.
type Stop struct {
	Type    string              `json:"type"`
	Session lifecycle.SessionID `json:"session"`
	Reason  string              `json:"reason,omitempty"`
}

// everySession is the session that means all for Stop.
const everySession lifecycle.SessionID = "all"

// Stop stops the run of a session, the root's with what it waits for.
func (s *Session) Stop(ctx context.Context, session lifecycle.SessionID, reason string) (fleet.Reply, error) {
	return s.Ask(ctx, Stop{"stop", session, reason})
}

// StopAll stops everything of the session.
func (s *Session) StopAll(ctx context.Context) (fleet.Reply, error) {
	return s.Stop(ctx, everySession, "")
}

// Answer answers a question.
type Answer struct {
	Type     string               `json:"type"`
	Question lifecycle.QuestionID `json:"question"`
	Answer   string               `json:"answer"`
	Reason   string               `json:"reason,omitempty"`
}

// Answer answers a question: once, run, session, always or no. Only no has a reason.
func (s *Session) Answer(ctx context.Context, question lifecycle.QuestionID, answer, reason string) (fleet.Reply, error) {
	return s.Ask(ctx, Answer{"answer", question, answer, reason})
}

// Status is how the session stands.
func (s *Session) Status(ctx context.Context) (fleet.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	return fleet.StatusOf(ctx, s.conn, string(s.Root))
}
