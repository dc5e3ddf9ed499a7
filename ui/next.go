package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// clearTyped begins a new session. This one stays.
func (m *model) clearTyped(string) tea.Cmd {
	if m.options.Commands.Sessions == nil {
		return m.without("begin another session with")
	}
	if m.runs.Latest(m.runs.Root()).ID == "" {
		m.say(draw.Quiet, "this session is still empty")
		return nil
	}
	return m.depart(Next{})
}

// goTo leaves for another session, if it can be opened. That is looked at before
// anything is stopped for it.
func (m *model) goTo(next Next) tea.Cmd {
	if next.Session == m.runs.Root() {
		m.say(draw.Quiet, "already open")
		return nil
	}
	look, ctx := m.options.Commands.Openable, m.ctx
	if look == nil {
		return m.depart(next)
	}
	return safely(func() tea.Msg {
		err := look(ctx, next.Session)
		return arrived{nil, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, sanitize.Line(err.Error()))
				return nil
			}
			return m.depart(next)
		}}
	})
}

// depart leaves this session for another on the same terminal. It asks first where
// something would be stopped.
func (m *model) depart(next Next) tea.Cmd {
	if m.sending > 0 {
		m.say(draw.Quiet, "a message is being sent: try again in a moment")
		return nil
	}
	live := m.runs.Live()
	if len(live) == 0 {
		return m.leaveFor(next)
	}
	d := &dialog{
		Title: draw.Sprintf("Leave this session while %s?", words.CountOf(len(live), "run goes on", "runs go on")),
		Choices: []choice{
			{Key: "x", Label: "stop them and switch", Do: func(m *model) tea.Cmd { return m.leaveFor(next) }},
			{Key: "w", Label: "wait for them, then switch", Do: func(m *model) tea.Cmd {
				m.next = &next
				return m.leave()
			}},
			{Key: "esc", Label: "cancel", Do: nil},
		},
		At: 2,
	}
	m.listRuns(d, live)
	m.dialog = d
	m.changed()
	return nil
}

func (m *model) leaveFor(next Next) tea.Cmd {
	return m.end(Ending{Cause: lifecycle.CauseQuit, Next: &next})
}

// leavingWords say what follows when the last run has ended.
func (m *model) leavingWords() sanitize.Text {
	if m.next != nil {
		return "switches to the other session when the last run ends"
	}
	return "quits when the last run ends"
}
