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

// Both reports whether two sessions stand on a screen so wide.
func (s Split) Both(root, focus lifecycle.SessionID, width int) bool {
	return s.Beside != "" && width >= Least && (focus == root || focus == s.Beside)
}

// Sides are the two of them: the conversation of the root, and what stands beside it.
func (s Split) Sides(root lifecycle.SessionID, width int) (left, right Pane) {
	half := (width - gutter) / 2
	return Pane{Session: root, Width: half}, Pane{Session: s.Beside, X: half + gutter, Width: width - half - gutter}
}

// Panes are those of a screen so wide, from the left: both sides, or only the session with the focus.
func (s Split) Panes(root, focus lifecycle.SessionID, width int) []Pane {
	if !s.Both(root, focus, width) {
		return []Pane{{Session: focus, Width: width}}
	}
	left, right := s.Sides(root, width)
	return []Pane{left, right}
}
