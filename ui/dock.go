package ui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// keep is how long the card of a run that nobody need look at stays.
const keep = 4 * time.Second

// cards are the pinned ones: what lives, what needs a look or a decision, what ended
// just now, and the one that has the focus.
func (m *model) cards() []transcript.Card {
	var cards []transcript.Card
	for _, session := range m.runs.Sessions {
		run := m.runs.Latest(session)
		if m.card == session || m.pinnedRun(run) {
			cards = append(cards, m.newestCard(run))
		}
	}
	return cards
}

// pinnedRun reports whether the card of a run stands above the line by itself.
func (m *model) pinnedRun(run lifecycle.Run) bool {
	switch {
	case !run.State.Terminal():
		return true
	case m.putAway(run):
		return false
	}
	return m.wanting(run) || m.needsLook(run) || m.clock.Read().Sub(run.EndedAt) < keep
}

// wanting reports whether an ended run waits for a decision of the user.
func (m *model) wanting(run lifecycle.Run) bool {
	switch {
	case m.runs.Lost(run.ID), run.Notification.Pending():
		return true
	case run.State == lifecycle.StateInterrupted && !run.Shell():
		// The offer to continue it stands although the parent has heard of it meanwhile.
		return run.Consumed == nil || m.happenedHere(run)
	}
	return m.runs.Refused(run) && m.happenedHere(run)
}

// happenedHere reports whether something has happened to a run since the screen has had
// its session; of a recording all counts.
func (m *model) happenedHere(run lifecycle.Run) bool {
	return run.Seq > m.options.Snapshot.Seq || m.recorded()
}

// needsLook reports whether a run ended as nobody wished, or without its user waiting for
// it, and nobody has opened it since. What a command in the background did well is the
// model's alone.
func (m *model) needsLook(run lifecycle.Run) bool {
	if !m.unread(run) {
		return false
	}
	switch run.State {
	case lifecycle.StateFailed, lifecycle.StateCompletedEmpty:
		return true
	case lifecycle.StateCompleted, lifecycle.StateCanceledByAgent:
		return !run.Shell() && run.Notification != nil && m.happenedHere(run)
	case lifecycle.StateQueued, lifecycle.StateRunning, lifecycle.StateCanceledByUser, lifecycle.StateInterrupted:
	}
	return false
}

// lingering reports whether a card is only there because it ended just now.
func (m *model) lingering() bool {
	now := m.clock.Read()
	for _, session := range m.runs.Sessions {
		if run := m.runs.Latest(session); run.State.Terminal() && now.Sub(run.EndedAt) < keep {
			return true
		}
	}
	return false
}

// putAway reports whether somebody wanted the card of an ended run to go.
func (m *model) putAway(run lifecycle.Run) bool { return m.seen[run.Session].Away == run.ID }

// putCardAway takes the card of an ended run off the screen; the focus goes to the next.
func (m *model) putCardAway() tea.Cmd {
	m.disarm()
	run, cards := m.runs.Latest(m.card), m.cards()
	if !run.State.Terminal() {
		m.say(draw.Quiet, "it is still running; its line can be removed when it ends")
		return nil
	}
	seen := m.seen[m.card]
	seen.End, seen.Away = run.ID, run.ID
	save := m.keepSeen(m.card, seen)
	at := slices.IndexFunc(cards, func(c transcript.Card) bool { return c.Run.Session == m.card })
	cards = slices.Delete(cards, at, at+1)
	m.card = ""
	if len(cards) > 0 {
		m.card = cards[min(at, len(cards)-1)].Run.Session
	}
	m.pins.free = true
	m.say(draw.Quiet, draw.Sprintf("hidden: %s · /agents lists it", wording.Name(run)))
	return save
}

// weightiest are so many of the cards, in their order: what runs before what needs a look,
// and both before what only waits its turn.
func (m *model) weightiest(cards []transcript.Card, most int) []transcript.Card {
	places := make([]int, len(cards))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(m.weight(cards[a].Run), m.weight(cards[b].Run)) })
	places = places[:min(most, len(places))]
	slices.Sort(places)
	chosen := make([]transcript.Card, len(places))
	for i, at := range places {
		chosen[i] = cards[at]
	}
	return chosen
}

// weight sorts the cards that have no room beside each other, the smallest first.
func (m *model) weight(run lifecycle.Run) int {
	switch {
	case run.State == lifecycle.StateRunning:
		return 0
	case run.State == lifecycle.StateQueued:
		return 2
	case run.State != lifecycle.StateCompleted, m.runs.Lost(run.ID), m.runs.Refused(run):
		return 1
	}
	return 3
}

// newestCard is the card of a session's newest run: what was denied counts over all
// its runs.
func (m *model) newestCard(run lifecycle.Run) transcript.Card {
	card := m.cardOf(run)
	card.Denied = m.runs.DeniedTo(run.Session)
	return card
}
