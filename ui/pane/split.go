package pane

import "pawl/lifecycle"

// Least is how many columns a screen has at least where two sessions stand on it: each has
// nearly those of a usual terminal then.
const Least = 150

// Split says what stands beside the conversation where the screen is wide enough. The zero
// Split is for the first subagent that is opened.
type Split struct {
	Off    bool                // a session that is opened covers the conversation
	Beside lifecycle.SessionID // a subagent's; empty for none
}

// Open takes in that a subagent's session was opened.
func (s *Split) Open(session lifecycle.SessionID) {
	if !s.Off {
		s.Beside = session
	}
}

// Panes are those of a screen so wide, from the left: the conversation of the root and what
// stands beside it, or only the session with the focus.
func (s Split) Panes(root, focus lifecycle.SessionID, width int) []Pane {
	if s.Beside == "" || width < Least || focus != root && focus != s.Beside {
		return []Pane{{Session: focus, Width: width}}
	}
	half := (width - gutter) / 2
	return []Pane{
		{Session: root, Width: half},
		{Session: s.Beside, X: half + gutter, Width: width - half - gutter},
	}
}
