package ui

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// cardAction is what a letter does on a card: in full words, and in few.
type cardAction struct {
	key        string
	words, few sanitize.Text
}

// actionsOn are the letters that do something for a run now. Every other one is text.
func (m *model) actionsOn(run lifecycle.Run) []cardAction {
	if m.recorded() {
		return nil
	}
	var all []cardAction
	live := !run.State.Terminal()
	if live && !run.OverdueAt.IsZero() && !m.patient[run.ID] && !run.Background {
		all = append(all, cardAction{"w", "go on waiting", "wait"})
	}
	if leavable(run) {
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
	} else {
		all = append(all, cardAction{"del", "hide", "hide"})
	}
	return all
}

// offers reports whether a letter does something for the run of the card with the focus.
func offers(key string) func(*model) bool {
	return func(m *model) bool {
		for _, a := range m.actionsOn(m.runs.Latest(m.card)) {
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
