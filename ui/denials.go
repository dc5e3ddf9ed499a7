package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// denials is the list of what was denied to a session, in front: what of it is to be
// granted, and which line has the mark. Its lines are read from the roster as it is;
// what is denied while it stands there is not chosen, for nobody may have read it.
type denials struct {
	session lifecycle.SessionID
	chosen  map[lifecycle.Deed]bool
	at      int
	top     int // the first line of its body that is seen
	moved   bool
	room    int // how many are
	rules   []Rule
}

func denialKeys() []binding {
	step := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.stepDenials(by) } }
	page := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.pageDenials(by) } }
	return []binding{
		{keys: []string{"up"}, at: atDenials, do: step(-1), show: "↑, ↓", help: "previous or next; pgup and pgdn scroll"},
		{keys: []string{"down"}, at: atDenials, do: step(1)},
		{keys: []string{"pgup"}, at: atDenials, do: page(-1)},
		{keys: []string{"pgdown"}, at: atDenials, do: page(1)},
		{keys: []string{"space"}, at: atDenials, do: (*model).toggleDenial, help: "select or clear it"},
		{keys: []string{"g", "enter"}, at: atDenials, do: (*model).grantChosen, show: "g, enter", help: "grant what is selected; it tries again. Press twice within 2 s"},
		{keys: []string{"p"}, at: atDenials, do: (*model).askAlwaysDenied, help: "always allow the marked one, by a rule shown first"},
		{keys: []string{"esc", "ctrl+c"}, at: atDenials, do: (*model).closeDenials, help: "close without a change"},
	}
}

// grant shows what was denied to the subagent of a card.
func (m *model) grant() tea.Cmd { return m.openDenials(m.card) }

// deniedTyped shows what was denied to the session that is shown.
func (m *model) deniedTyped(string) tea.Cmd { return m.openDenials(m.open) }

func (m *model) openDenials(session lifecycle.SessionID) tea.Cmd {
	m.disarm()
	open := m.runs.Refusals(session)
	if len(open) == 0 {
		m.say(draw.Quiet, "nothing is denied")
		return nil
	}
	d := &denials{session: session, chosen: map[lifecycle.Deed]bool{}}
	for _, r := range open {
		if r.Grantable() {
			d.chosen[r.Deed()] = true
		}
	}
	m.denials = d
	m.changed()
	read := m.options.Permissions
	if read == nil || len(d.chosen) == len(open) {
		return nil
	}
	return safely(func() tea.Msg {
		rules := read()
		return arrived{nil, func(*model) tea.Cmd { d.rules = rules; return nil }}
	})
}

func (m *model) closeDenials() tea.Cmd {
	m.disarm()
	m.denials = nil
	m.changed()
	return nil
}

// refusedOnes are the lines of the list; none of them is left when what was denied was
// granted by somebody else meanwhile.
func (m *model) refusedOnes() []lifecycle.Refusal {
	open := m.runs.Refusals(m.denials.session)
	m.denials.at = max(0, min(m.denials.at, len(open)-1))
	return open
}

func (m *model) stepDenials(by int) tea.Cmd {
	m.disarm()
	m.denials.at += by
	m.denials.moved = true
	m.refusedOnes()
	m.changed()
	return nil
}

func (m *model) pageDenials(by int) tea.Cmd {
	m.denials.top += by * max(1, m.denials.room-1)
	m.changed()
	return nil
}

// markedDenial is the one that the mark is on, if a person may lift it.
func (m *model) markedDenial() (lifecycle.Refusal, bool) {
	open := m.refusedOnes()
	if len(open) == 0 {
		return lifecycle.Refusal{}, false
	}
	marked := open[m.denials.at]
	if !marked.Grantable() {
		m.say(draw.Quiet, draw.Sprintf("denied by %s: it cannot be granted here", wording.Decider(marked.By)))
		return marked, false
	}
	return marked, true
}

func (m *model) toggleDenial() tea.Cmd {
	m.disarm()
	if marked, ok := m.markedDenial(); ok {
		m.denials.chosen[marked.Deed()] = !m.denials.chosen[marked.Deed()]
		m.changed()
	}
	return nil
}

// chosenDeeds are what a grant would allow now.
func (m *model) chosenDeeds() []lifecycle.Deed {
	var deeds []lifecycle.Deed
	for _, r := range m.refusedOnes() {
		if r.Grantable() && m.denials.chosen[r.Deed()] {
			deeds = append(deeds, r.Deed())
		}
	}
	return deeds
}

func (m *model) grantChosen() tea.Cmd {
	deeds := m.chosenDeeds()
	if len(deeds) == 0 {
		m.say(draw.Quiet, "nothing grantable is selected")
		return nil
	}
	session := m.denials.session
	if !m.pressed("grant", session) {
		m.arm("grant", session, draw.Sprintf("again, and these are allowed until you quit: %s", deedWords(deeds)))
		return nil
	}
	m.closeDenials()
	return m.do(lifecycle.Grant{Session: session, Deeds: deeds})
}

// askAlwaysDenied shows in full the rule that would allow what is marked from now on.
func (m *model) askAlwaysDenied() tea.Cmd {
	marked, ok := m.markedDenial()
	if !ok {
		return nil
	}
	if len(marked.Rules) == 0 {
		m.say(draw.Quiet, "no rule covers exactly this call: g grants it for this session")
		return nil
	}
	session := m.denials.session
	m.dialog = m.alwaysDialog(marked.Rules, "back to what was denied", func(m *model) tea.Cmd {
		m.closeDenials()
		return m.do(lifecycle.Grant{Session: session, Deeds: []lifecycle.Deed{marked.Deed()}, Always: true})
	})
	m.changed()
	return nil
}

// grantedWords say what a grant did, and when its session hears of it.
func grantedWords(r lifecycle.Reply) sanitize.Text {
	then := sanitize.Text("it tries again")
	switch {
	case r.Message != "":
		then = "it is told at its next step"
	case slices.ContainsFunc(r.Runs, func(run lifecycle.Run) bool { return run.State == lifecycle.StateQueued }):
		then = "it tries again when a slot is free"
	}
	return draw.Sprintf("granted until you quit; %s: %s", then, deedWords(r.Granted))
}

// deedWords name what is allowed.
func deedWords(deeds []lifecycle.Deed) sanitize.Text {
	var words []string
	for _, d := range deeds {
		words = append(words, strings.TrimSpace(d.Tool+" "+d.Subject))
	}
	return sanitize.Line(strings.Join(words, "; "))
}
