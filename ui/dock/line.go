package dock

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/transcript"
)

// Line is one line: the card of a run or, where Ends are set, all of these as one.
type Line struct {
	transcript.Card
	Ends []transcript.Card
}

// Ends is what the focus is on where it is on the line of the ends that went well. No session is
// called so.
const Ends lifecycle.SessionID = "the ends that went well"

// ID is the session that a line leads to, or Ends.
func (l Line) ID() lifecycle.SessionID {
	if l.Ends != nil {
		return Ends
	}
	return l.Run.Session
}

// The order of the lines, by what somebody has to know first.
const (
	asks = iota
	foreground
	running
	queued
	ended
	endedWell
)

func rank(card transcript.Card) int {
	run := card.Run
	switch {
	case card.Asks(), card.Overdue():
		return asks
	case run.State == lifecycle.StateQueued:
		return queued
	case run.Awaited():
		return foreground
	case !run.State.Terminal():
		return running
	case card.EndedWell():
		return endedWell
	}
	return ended
}

// Order sorts cards into the order of the lines; those of one rank stay as they are. Two ends or more
// that went well are one line, unless they are unfolded: then they stand below it. One that has the
// focus already keeps its own line.
func Order(cards []transcript.Card, focus lifecycle.SessionID, unfolded bool) []Line {
	ranks := make([]int, len(cards))
	for i := range cards {
		ranks[i] = rank(cards[i])
	}
	lines := make([]Line, 0, len(cards))
	var well []transcript.Card
	for of := asks; of <= endedWell; of++ { // a card is 2 KB: each is moved once
		for i := range cards {
			switch {
			case ranks[i] != of:
			case of == endedWell && (unfolded || cards[i].Run.Session != focus):
				well = append(well, cards[i])
			default:
				lines = append(lines, Line{Card: cards[i]})
			}
		}
	}
	if len(well) > 1 || len(well) == 1 && focus == Ends {
		lines = append(lines, Line{Card: transcript.Card{Selected: focus == Ends}, Ends: well})
		if !unfolded {
			return lines
		}
	}
	for _, card := range well {
		lines = append(lines, Line{Card: card})
	}
	return lines
}

// At is the place of the line that the focus is on, -1 where none is.
func At(lines []Line, focus lifecycle.SessionID) int {
	return slices.IndexFunc(lines, func(l Line) bool { return l.ID() == focus })
}
