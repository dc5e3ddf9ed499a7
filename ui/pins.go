package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// pins is the room of the pinned cards. A card that leaves by the clock leaves its
// row empty: nothing that somebody reads may move without a reason. The room shrinks
// with what moves the text anyway.
type pins struct {
	rows int
	free bool // the next picture may have fewer
}

// pinned draws the pinned cards, in no less room than before while nothing moves.
func (m *model) pinned(c draw.Canvas, most int) []draw.Styled {
	lines := m.renderCards(c, most)
	missing := min(m.pins.rows, most) - len(lines)
	if m.pins.free || missing <= 0 || m.height < 18 { // a low screen has no room to keep
		m.pins = pins{rows: len(lines)}
		return lines
	}
	m.picture.hits.cards = append(make([]lifecycle.SessionID, missing), m.picture.hits.cards...)
	return append(make([]draw.Styled, missing), lines...) // above them: the others stay where they are
}

// choosy is the card below which stands what the keys do: the one with the focus, else
// the first that is overdue; -1 for none.
func choosy(cards []transcript.Card) int {
	first := -1
	for i, card := range cards {
		switch {
		case card.Selected && !card.Over:
			return i
		case card.Overdue() && first < 0:
			first = i
		}
	}
	return first
}

// leavable reports whether a key can send the run to the background.
func leavable(run lifecycle.Run) bool {
	return run.Subagent() && !run.Background && !run.State.Terminal()
}

// cardsHint says how the pinned cards are reached, where there are some.
func (m *model) cardsHint() sanitize.Text {
	cards := m.cards()
	reach := sanitize.Text("↓ subagents")
	switch {
	case len(cards) == 0 || m.queued(): // their own line says a key already
		return "? keys"
	case !slices.ContainsFunc(cards, func(card transcript.Card) bool { return card.Run.Subagent() }):
		reach = "↓ commands"
	}
	if m.width < 60 {
		return reach
	}
	return reach + "  ? keys"
}
