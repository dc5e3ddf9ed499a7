package html

import (
	"bytes"

	"pawl/agent"
	"pawl/export/book"
	"pawl/lifecycle"
)

// callDiffs are the diffs of a session by the call that made them. Transcripts have
// only what the model was told; the diff stands in the record of the tool's end.
type callDiffs struct {
	of   map[book.Caller]agent.DiffView
	room int  // bytes
	full bool // later ones were left out
}

// diffRoom bounds the diffs that are held. Those beyond it are left out, and the
// page says so.
const diffRoom = 8 << 20

func newCallDiffs() callDiffs { return callDiffs{of: map[book.Caller]agent.DiffView{}, room: diffRoom} }

// note keeps the diff of a tool that made one.
func (c *callDiffs) note(session lifecycle.SessionID, e lifecycle.ToolEnded) {
	if !bytes.Contains(e.View, []byte(`"diff"`)) { // most have none: decoding all costs more
		return
	}
	view, err := agent.DecodeView(e.View)
	diff, is := view.(agent.DiffView)
	if err != nil || !is { // as everywhere in an export, a view that cannot be read is left out
		return
	}
	size := len(diff.Diff) + len(diff.Path) + len(session) + len(e.Call)
	if c.full = c.full || size > c.room; c.full {
		return
	}
	c.room -= size
	c.of[book.Caller{Session: session, Call: e.Call}] = diff
}
