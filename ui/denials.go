package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

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
func (m *model) grant() tea.Cmd { return m.openDenials(m.target()) }

// deniedTyped shows what was denied to the session that is shown.
func (m *model) deniedTyped(string) tea.Cmd { return m.openDenials(m.open) }

func (m *model) openDenials(session lifecycle.SessionID) tea.Cmd {
	open := m.runs.Refusals(session)
	if len(open) == 0 {
		m.say(draw.Quiet, "nothing is denied")
		return nil
	}
	d := approval.NewDenied(session, open)
	m.denials = d
	read := m.options.Permissions
	if read == nil || !slices.ContainsFunc(open, func(r lifecycle.Refusal) bool { return !r.Grantable() }) {
		return nil
	}
	return func() tea.Msg {
		rules := read()
		return loaded{nil, func(*model) tea.Cmd { d.Rules = rules; return nil }}
	}
}

func (m *model) closeDenials() tea.Cmd {
	m.denials = nil
	return nil
}

// refused are the lines of the list; none of them is left when what was denied was
// granted by somebody else meanwhile.
func (m *model) refused() []lifecycle.Refusal { return m.runs.Refusals(m.denials.Session) }

func (m *model) stepDenials(by int) tea.Cmd {
	m.denials.Step(m.refused(), by)
	return nil
}

func (m *model) pageDenials(by int) tea.Cmd {
	m.denials.Page(by)
	return nil
}

// markedDenial is the one that the mark is on, if a person may lift it.
func (m *model) markedDenial() (lifecycle.Refusal, bool) {
	marked, any := m.denials.Marked(m.refused())
	if any && !marked.Grantable() {
		m.say(draw.Quiet, draw.Sprintf("denied by %s: it cannot be granted here", wording.Decider(marked.By)))
		return marked, false
	}
	return marked, any
}

func (m *model) toggleDenial() tea.Cmd {
	if marked, ok := m.markedDenial(); ok {
		m.denials.Toggle(marked)
	}
	return nil
}

func (m *model) grantChosen() tea.Cmd {
	deeds := m.denials.Chosen(m.refused())
	if len(deeds) == 0 {
		m.say(draw.Quiet, "nothing grantable is selected")
		return nil
	}
	session := m.denials.Session
	if !m.pressed("grant", session) {
		m.arm("grant", session, draw.Sprintf("again, and these are allowed until you quit: %s", approval.Deeds(deeds)))
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
	session := m.denials.Session
	m.dialog = m.alwaysDialog(marked.Rules, "back to what was denied", func(m *model) tea.Cmd {
		m.closeDenials()
		return m.do(lifecycle.Grant{Session: session, Deeds: []lifecycle.Deed{marked.Deed()}, Always: true})
	})
	m.dialog.Over = func(m *model) sanitize.Text {
		if slices.ContainsFunc(m.runs.Refusals(session), func(r lifecycle.Refusal) bool { return r.Deed() == marked.Deed() }) {
			return ""
		}
		return "it is granted already"
	}
	return nil
}

// renderDenials draws the list.
func (m *model) renderDenials(c draw.Canvas, height int) []draw.Styled {
	return m.denials.Render(c, height, m.refused(), approval.DeniedView{
		Name: wording.Name(m.runs.Latest(m.denials.Session)), Notices: m.renderNotices(c.Content().Inside()), Question: m.askedBefore,
	})
}

// askedBefore is a question of the session whose denials are shown, where it is still
// known.
func (m *model) askedBefore(id lifecycle.QuestionID) (q lifecycle.Question, known bool) {
	for _, rec := range m.talk(m.denials.Session).Records {
		if asked, is := rec.Event.(lifecycle.PermissionAsked); is && asked.ID == id {
			return asked.Question, true
		}
	}
	return q, false
}
