package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// keep is how long the card of a run that nobody need look at stays.
const keep = 4 * time.Second

// pinned are the runs whose cards stand above the line: what lives, what needs a look or a
// decision, what ended just now, and the one that has the focus.
func (m *model) pinned(yield func(lifecycle.Run) bool) {
	for _, session := range m.runs.Sessions {
		run := m.runs.Latest(session)
		if (m.card == session || m.pinnedRun(run)) && !yield(run) {
			return
		}
	}
}

// docked are their lines, in their order.
func (m *model) docked() []dock.Line {
	m.cards = m.cards[:0]
	for run := range m.pinned {
		m.cards = append(m.cards, m.newestCard(run))
	}
	return m.dock.Lines(m.cards, m.card)
}

// anyDocked reports whether there is a line.
func (m *model) anyDocked() bool {
	for range m.pinned {
		return true
	}
	return false
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

// happenedHere reports whether something has happened to a run since its session was opened; of a
// recording all counts.
func (m *model) happenedHere(run lifecycle.Run) bool {
	return run.Seq > m.options.OpenedAt || m.recorded()
}

// needsLook reports whether a run ended as nobody wished, or without its user waiting for
// it, and nobody has opened it since. What a command in the background did well is the
// model's alone.
func (m *model) needsLook(run lifecycle.Run) bool {
	if !m.unread(run) {
		return false
	}
	if m.toLand(run) {
		return true
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

// putCardAway takes the card of an ended run off the screen, or those of all that went
// well; the focus goes to the next.
func (m *model) putCardAway() tea.Cmd {
	session, lines := m.target(), m.docked()
	at := dock.At(lines, session)
	var away []transcript.Card
	switch run := m.runs.Latest(session); {
	case at >= 0 && lines[at].Ends != nil:
		away = lines[at].Ends
	case !run.Child():
		return nil
	case !run.State.Terminal():
		m.say(draw.Quiet, "it is still running; its line can be removed when it ends")
		return nil
	default:
		away = []transcript.Card{m.newestCard(run)}
	}
	var saves []tea.Cmd
	for _, card := range away {
		seen := m.seen[card.Run.Session]
		seen.End, seen.Away = card.Run.ID, card.Run.ID
		saves = append(saves, m.keepSeen(card.Run.Session, seen))
	}
	m.boardStamp++
	if m.card == session {
		m.card = ""
		if lines = m.docked(); len(lines) > 0 {
			m.card = lines[min(max(0, at), len(lines)-1)].ID()
		}
	}
	m.dock.Free = true
	what := wording.Name(away[0].Run)
	if len(away) > 1 {
		what = draw.Sprintf("%d completed", len(away))
	}
	m.say(draw.Quiet, draw.Sprintf("hidden: %s · /agents lists %s", what, itOrThem(len(away))))
	return tea.Batch(saves...)
}

func itOrThem(n int) sanitize.Text {
	if n > 1 {
		return "them"
	}
	return "it"
}

// newestCard is the card of a session's newest run: what was denied counts over all
// its runs.
func (m *model) newestCard(run lifecycle.Run) transcript.Card {
	card := m.cardOf(run)
	card.Denied = m.runs.DeniedTo(run.Session)
	return card
}

// renderDock draws the lines of the pinned cards in so many rows at most.
func (m *model) renderDock(c draw.Canvas, most int) []draw.Styled {
	v := dock.View{Lines: m.docked(), Most: most, Low: m.height < airy, Covered: m.at()&covered != 0}
	if v.Covered {
		for i := range v.Lines {
			v.Lines[i].Selected = false
		}
	} else if m.card != "" {
		v.Actions = m.actionsOn(m.runs.Latest(m.card))
	}
	drawn, rows := m.dock.Render(c, v)
	m.picture.hits.cards = rows
	return drawn
}

// sums are what stands on the rule below the lines.
func (m *model) sums() dock.Sums {
	sums := dock.SumOf(m.runs, m.options.Slots)
	for run := range m.pinned {
		if run.State.Terminal() && run.State != lifecycle.StateCanceledByUser && m.pinnedRun(run) && !m.newestCard(run).EndedWell() {
			sums.Look++
		}
	}
	return sums
}

// sumsIn draws them on a canvas for a width.
func (m *model) sumsIn(c draw.Canvas) func(width int) draw.Styled {
	return func(width int) draw.Styled { return m.sums().Words(c, width) }
}

// detachable reports whether a key can send the run to the background.
func detachable(run lifecycle.Run) bool {
	return run.Subagent() && !run.Background && !run.State.Terminal()
}

// cardsHint says how the pinned cards are reached, where there are some.
func (m *model) cardsHint() sanitize.Text {
	some, subagents := false, false
	for run := range m.pinned {
		some = true
		if subagents = run.Subagent(); subagents {
			break
		}
	}
	reach := sanitize.Text("↓ subagents")
	switch {
	case !some || m.queued(): // their own line says a key already
		return "? keys"
	case !subagents:
		reach = "↓ commands"
	}
	if m.width < 60 {
		return reach
	}
	return reach + "  ? keys"
}

// actionsOn are the keys that do something for a run now, Enter first. Every other letter
// is text.
func (m *model) actionsOn(run lifecycle.Run) []dock.Action {
	ends := m.target() == dock.Ends
	if m.recorded() || run.ID == "" && !ends {
		return nil
	}
	all := []dock.Action{{Key: "enter", Words: "open", Few: "open"}}
	if ends {
		if m.dock.Unfolded {
			all[0] = dock.Action{Key: "enter", Words: "fold", Few: "fold"}
		}
		return append(all, dock.Action{Key: "del", Words: "hide them", Few: "hide"})
	}
	live := !run.State.Terminal()
	if live && !run.OverdueAt.IsZero() && !m.keepWaiting[run.ID] && !run.Background {
		all = append(all, dock.Action{Key: "w", Words: "go on waiting", Few: "wait"})
	}
	if detachable(run) {
		all = append(all, dock.Action{Key: "b", Words: "to the background", Few: "background"})
	}
	if run.State == lifecycle.StateInterrupted && !run.Shell() {
		all = append(all, dock.Action{Key: "r", Words: "continue", Few: "continue"})
	}
	if m.runs.DeniedTo(run.Session) > 0 {
		all = append(all, dock.Action{Key: "g", Words: "grant what was denied", Few: "grant"})
	}
	if m.changedFiles(run) {
		words := sanitize.Text("changes")
		if m.toLand(run) {
			words = "changes to land"
		}
		all = append(all, dock.Action{Key: "l", Words: words, Few: "changes"})
	}
	if !run.Shell() {
		all = append(all, dock.Action{Key: "m", Words: "message", Few: "message"})
	}
	if live {
		return append(all, dock.Action{Key: "x", Words: "x stop", Few: "x stop"})
	}
	if !run.Child() {
		return all
	}
	return append(all, dock.Action{Key: "del", Words: "hide", Few: "hide"})
}

// changedFiles reports whether a subagent has changed files that can be shown.
func (m *model) changedFiles(run lifecycle.Run) bool {
	return m.options.Changes != nil && run.Subagent() && (m.runs.Changed(run.Session) > 0 || m.toLand(run))
}

// offers reports whether a letter does something for the run of the card with the focus.
func offers(key string) func(*model) bool {
	return func(m *model) bool {
		for _, a := range m.actionsOn(m.runs.Latest(m.target())) {
			if a.Key == key {
				return true
			}
		}
		return false
	}
}
