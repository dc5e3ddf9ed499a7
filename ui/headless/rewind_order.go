package headless

import (
	"context"
	"errors"

	"pawl/lifecycle"
)

// RewindOrder takes the session back to before a point; without one it asks for the points.
type RewindOrder struct {
	To           lifecycle.Seq       `json:"to,omitempty"`           // the number of the point's record
	Session      lifecycle.SessionID `json:"session,omitempty"`      // the subagent whose files alone are taken back
	Conversation bool                `json:"conversation,omitempty"` // alone; neither this nor files: both
	Files        bool                `json:"files,omitempty"`        // alone
	Force        []string            `json:"force,omitempty"`        // files that are put back although others have changed them
	DryRun       bool                `json:"dry_run,omitempty"`
}

// Rewind carries out an order, and returns the line that says what it did or would do.
type Rewind func(ctx context.Context, order RewindOrder) (line any, err error)

// Taken says what is to be taken back.
func (r RewindOrder) Taken() (conversation, files bool) {
	if r.Session != "" {
		return false, true
	}
	if r.Conversation == r.Files {
		return true, true
	}
	return r.Conversation, r.Files
}

// Check says what is wrong with an order.
func (r RewindOrder) Check() error {
	switch _, files := r.Taken(); {
	case r.To < 0:
		return errors.New("to: it takes the number of a record")
	case r.Session != "" && r.Conversation:
		return errors.New("conversation: only a subagent's files can be taken back")
	case len(r.Force) > 0 && !files:
		return errors.New("force: it names files, and only the conversation is taken back")
	}
	return nil
}
