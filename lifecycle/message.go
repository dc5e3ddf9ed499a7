package lifecycle

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Who a message is from.
const (
	FromUser  = "user"  // a person
	FromAgent = "agent" // the parent's model
	FromPawl  = "pawl"  // Pawl itself
)

// Message is a text on its way into a session. It waits in the session's inbox
// until a step takes it in; until then it can be edited, moved and withdrawn.
type Message struct {
	ID   MessageID `json:"message"`
	From string    `json:"from"`
	Text string    `json:"text"`
	// Reach lists the paths outside the session's folder, and the names of what servers have, that
	// a person typed in the text. Those in text that was pasted or piped in are not attached,
	// because the person may not have read them.
	Reach []string `json:"reach,omitempty"`
	// Call and InRun are the agent_send call that sent it and the parent's run of that call, if
	// it was sent so. A run that it starts stands on that call.
	Call  CallID `json:"call,omitempty"`
	InRun RunID  `json:"in_run,omitempty"`
}

// Inbox is the queue of a session, oldest message first, as a fold of its message records. It
// is a value: Apply returns a new one and does not change the old one.
type Inbox []Message

// ErrNotWaiting reports a change to a message that its session has taken in or given back, or
// never had.
var ErrNotWaiting = errors.New("is no longer waiting")

// Apply folds one record into the queue. Events that are not about messages
// change nothing. The error names a message that is not waiting (ErrNotWaiting).
func (b Inbox) Apply(event Event) (Inbox, error) {
	switch e := event.(type) {
	case MessageQueued:
		return append(slices.Clone(b), e.Message), nil
	case MessageEdited:
		i, err := b.find(e.Message)
		if err != nil {
			return b, err
		}
		next := slices.Clone(b)
		next[i].Text, next[i].Reach = e.Text, e.Reach
		return next, nil
	case MessageMoved:
		rest, moved, err := b.without(e.Message)
		if err != nil {
			return b, err
		}
		return slices.Insert(rest, min(max(e.To, 0), len(rest)), moved), nil
	case MessageTaken:
		rest, _, err := b.without(e.Message)
		return rest, err
	case MessageWithdrawn:
		rest, _, err := b.without(e.Message)
		return rest, err
	default:
		return b, nil
	}
}

func (b Inbox) without(id MessageID) (Inbox, Message, error) {
	i, err := b.find(id)
	if err != nil {
		return b, Message{}, err
	}
	return slices.Delete(slices.Clone(b), i, i+1), b[i], nil
}

func (b Inbox) find(id MessageID) (int, error) {
	i := slices.IndexFunc(b, func(m Message) bool { return m.ID == id })
	if i < 0 {
		return i, fmt.Errorf("message %s %w", id, ErrNotWaiting)
	}
	return i, nil
}

// userEntry is the transcript entry of a text that enters a session.
func userEntry(session SessionID, run RunID, said Said) Entry {
	return Entry{Session: session, Run: run, Kind: EntryUser, Body: mustJSON(said)}
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // only our own plain structs come here
		panic("lifecycle: encode: " + err.Error())
	}
	return b
}
