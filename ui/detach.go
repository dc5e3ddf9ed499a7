package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// detachKeys count wherever the focus is: who leaves a session to itself has nothing to settle
// first.
func detachKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+\\"}, at: everywhere, do: (*model).detach, help: "detach: this screen closes, the session goes on"},
	}
}

// detach closes this screen and leaves the session to its host. What was sent or answered just
// now arrives first; the key once more does not wait for that.
func (m *model) detach() tea.Cmd {
	m.disarm()
	switch {
	case !m.options.Hosted:
		m.say(draw.Quiet, "this screen has nothing to detach from")
		return nil
	case m.underWay > 0 && !m.detaching:
		m.detaching = true
		return nil
	}
	if reason := m.asking.reason; reason != nil { // it would be lost
		m.line().Insert(reason.Text)
		m.putAside()
	}
	return m.end(Ending{Detach: true})
}

// detachDone ends a screen that has waited for its last command.
func (m *model) detachDone() tea.Cmd {
	if m.detaching && m.underWay == 0 {
		return m.detach()
	}
	return nil
}

func (m *model) detachTyped(string) tea.Cmd { return m.detach() }

// resumed is the return of who has suspended the screen.
type resumed struct{ err error }

// suspend leaves the terminal to the shell, without reports of ours, until its user is back.
func (m *model) suspend() tea.Cmd {
	away, ctx := m.options.Suspend, m.ctx
	if away == nil {
		m.say(draw.Quiet, "this screen cannot be suspended here")
		return nil
	}
	return tea.Sequence(
		terminal.Write(terminal.SchemeReportsOff),
		terminal.Lend(func() error { return away(ctx) }, func(err error) tea.Msg { return resumed{err} }),
	)
}

func (m *model) resumed(r resumed) tea.Cmd {
	if r.err != nil {
		m.say(draw.Failure, draw.Sprintf("not suspended: %s", sanitize.Line(r.err.Error())))
	}
	return m.returned()
}
