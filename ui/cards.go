package ui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
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
	return m.needsDecision(run) || m.needsLook(run) || m.clock.Read().Sub(run.EndedAt) < keep
}

// needsDecision reports whether an ended run waits for a decision of the user.
func (m *model) needsDecision(run lifecycle.Run) bool {
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
	session := m.target()
	run, cards := m.runs.Latest(session), m.cards()
	switch {
	case !run.Child():
		return nil
	case !run.State.Terminal():
		m.say(draw.Quiet, "it is still running; its line can be removed when it ends")
		return nil
	}
	seen := m.seen[session]
	seen.End, seen.Away = run.ID, run.ID
	save := m.keepSeen(session, seen)
	m.boardStamp++
	if m.card == session {
		at := slices.IndexFunc(cards, func(c transcript.Card) bool { return c.Run.Session == session })
		cards = slices.Delete(cards, at, at+1)
		m.card = ""
		if len(cards) > 0 {
			m.card = cards[min(at, len(cards)-1)].Run.Session
		}
	}
	m.pins.free = true
	m.say(draw.Quiet, draw.Sprintf("hidden: %s · /agents lists it", wording.Name(run)))
	return save
}

// mostImportant are so many of the cards, in their order: what runs before what needs a look,
// and both before what only waits its turn.
func (m *model) mostImportant(cards []transcript.Card, most int) []transcript.Card {
	places := make([]int, len(cards))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(m.importance(cards[a].Run), m.importance(cards[b].Run)) })
	places = places[:min(most, len(places))]
	slices.Sort(places)
	chosen := make([]transcript.Card, len(places))
	for i, at := range places {
		chosen[i] = cards[at]
	}
	return chosen
}

// importance sorts the cards that have no room beside each other, the smallest first.
func (m *model) importance(run lifecycle.Run) int {
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

// cardWithKeys is the card below which stands what the keys do: the one with the focus, else
// the first that is overdue; -1 for none.
func cardWithKeys(cards []transcript.Card) int {
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

// detachable reports whether a key can send the run to the background.
func detachable(run lifecycle.Run) bool {
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

// cardAction is what a letter does on a card: in full words, and in few.
type cardAction struct {
	key        string
	words, few sanitize.Text
}

// actionsOn are the letters that do something for a run now. Every other one is text.
func (m *model) actionsOn(run lifecycle.Run) []cardAction {
	if m.recorded() || run.ID == "" {
		return nil
	}
	var all []cardAction
	live := !run.State.Terminal()
	if live && !run.OverdueAt.IsZero() && !m.keepWaiting[run.ID] && !run.Background {
		all = append(all, cardAction{"w", "go on waiting", "wait"})
	}
	if detachable(run) {
		all = append(all, cardAction{"b", "to the background", "background"})
	}
	if run.State == lifecycle.StateInterrupted && !run.Shell() {
		all = append(all, cardAction{"r", "continue", "continue"})
	}
	if m.runs.DeniedTo(run.Session) > 0 {
		all = append(all, cardAction{"g", "grant what was denied", "grant"})
	}
	if !run.Shell() {
		all = append(all, cardAction{"m", "message", "message"})
	}
	if live {
		all = append(all, cardAction{"x", "x stop", "x stop"})
	} else if run.Child() {
		all = append(all, cardAction{"del", "hide", "hide"})
	}
	return all
}

// offers reports whether a letter does something for the run of the card with the focus.
func offers(key string) func(*model) bool {
	return func(m *model) bool {
		for _, a := range m.actionsOn(m.runs.Latest(m.target())) {
			if a.key == key {
				return true
			}
		}
		return false
	}
}

// actionLine says in as many words as fit what the keys do on a card.
func actionLine(c draw.Canvas, actions []cardAction) draw.Styled {
	full, few, least := sanitize.Text("enter open"), sanitize.Text("enter open"), sanitize.Text("")
	for i, a := range actions {
		full += draw.Sprintf(" · %s %s", a.key, a.words)
		few += draw.Sprintf(" · %s %s", a.key, a.few)
		if i > 0 {
			least += " · "
		}
		least += draw.Sprintf("%s %s", a.key, a.few)
	}
	for _, words := range []sanitize.Text{full + " · esc back", few + " · esc back", few, least} {
		if draw.Cells(words)+4 <= c.Width {
			return "    " + c.Theme.Accent.Draw(words)
		}
	}
	return "    " + c.Theme.Accent.Draw(c.Cut(least, c.Width-4))
}

// renderCards draws the pinned cards, at most so many; the one with the focus is
// always among them.
func (m *model) renderCards(c draw.Canvas, most int) []draw.Styled {
	cards := m.cards()
	m.picture.hits.cards = nil
	if len(cards) == 0 || most == 0 {
		return nil
	}
	all, choosing := len(cards), cardWithKeys(cards)
	if choosing >= 0 && (most > 2 || most == 2 && (len(cards) == 1 || cards[choosing].Selected)) {
		most--
	} else {
		choosing = -1
	}
	if all > most {
		rows, focus := max(1, most-1), slices.IndexFunc(cards, func(card transcript.Card) bool { return card.Selected })
		if focus < 0 {
			cards = m.mostImportant(cards, rows)
		} else {
			first := max(0, min(focus-rows/2, all-rows))
			cards = cards[first : first+rows]
		}
	}
	if choosing >= 0 {
		choosing = cardWithKeys(cards)
	}
	cols := transcript.ColumnsOf(c, cards)
	var lines []draw.Styled
	for i, card := range cards {
		lines = append(lines, card.Line(c, cols))
		m.picture.hits.cards = append(m.picture.hits.cards, card.Run.Session)
		if i == choosing {
			if card.Selected {
				lines = append(lines, actionLine(c, m.actionsOn(card.Run)))
			} else {
				lines = append(lines, card.Choices(c))
			}
			m.picture.hits.cards = append(m.picture.hits.cards, card.Run.Session)
		}
	}
	if hidden := all - len(cards); hidden > 0 && most > 1 {
		lines = append(lines, "  "+c.Theme.Faint.Draw(draw.Sprintf("%s %d more", c.Glyphs.More, hidden)))
	}
	return lines
}
