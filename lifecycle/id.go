package lifecycle

import (
	"strings"

	"github.com/google/uuid"
)

// Each identity is a type of its own, so that the compiler refuses a run where
// a session is meant. Values are UUIDs of version 7: they sort by the time they
// were made, which keeps database pages warm, but order is read from Seq alone.
type (
	// SessionID names a conversation. Where a model is told about a subagent,
	// the same value is called its agent_id.
	SessionID string
	// RunID names one turn of a session.
	RunID string
	// CallID names a tool call, as the model's provider named it.
	CallID string
	// MessageID names a message on its way into a session.
	MessageID string
	// QuestionID names a permission question.
	QuestionID string
	// OperationID names a landing or a rewind.
	OperationID string
)

// Seq is the place of a record in the log of its root session: 1 for the first,
// without gaps. Zero means "before the first".
type Seq int64

// NewSessionID mints an identity; safe from any goroutine.
func NewSessionID() SessionID { return SessionID(newID()) }

// NewRunID mints an identity; safe from any goroutine.
func NewRunID() RunID { return RunID(newID()) }

// NewMessageID mints an identity; safe from any goroutine.
func NewMessageID() MessageID { return MessageID(newID()) }

// NewQuestionID mints an identity; safe from any goroutine.
func NewQuestionID() QuestionID { return QuestionID(newID()) }

// NewOperationID mints an identity; safe from any goroutine.
func NewOperationID() OperationID { return OperationID(newID()) }

// NewCallID mints an identity for a tool call whose provider gave it none. It is
// 37 characters long: OpenAI takes 40 at most.
func NewCallID() CallID { return CallID("call_" + strings.ReplaceAll(newID(), "-", "")) }

func newID() string {
	id, err := uuid.NewV7()
	if err != nil { // the system has no randomness left: nothing can go on
		panic("lifecycle: new id: " + err.Error())
	}
	return id.String()
}
