package hosted

import (
	"context"
	"time"

	"pawl/internal/fleet"
	"pawl/lifecycle"
)

// askLimit is how long a host may take to carry out an order: what it records may wait for a busy
// database.
const askLimit = 30 * time.Second

// Ask sends one order, as fleet.Ask does, and bounds the wait.
func (s *Session) Ask(ctx context.Context, order any) (fleet.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	return fleet.Ask(ctx, s.conn, order)
}

// Message says a text to a session, the root if that is empty.
type Message struct {
	Type    string              `json:"type"`
	Text    string              `json:"text"`
	Session lifecycle.SessionID `json:"session,omitempty"`
}

// Say sends a text to the session that was named.
func (s *Session) Say(ctx context.Context, text string) (fleet.Reply, error) {
	return s.Ask(ctx, Message{"message", text, s.Named})
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
