package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

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
