package fleet

import tea "charm.land/bubbletea/v2"

// wheel scrolls what is under the mouse: the list or the conversation.
func (m *model) wheel(msg tea.MouseWheelMsg) {
	by := 0
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelDown:
		by = 3
	default:
		return
	}
	m.changed()
	switch {
	case m.help != nil:
		m.help.Scroll(by)
	case m.onList(msg.X, msg.Y):
		m.board.scroll(by)
	default:
		m.look.back = max(0, m.look.back-by)
	}
}

// onList reports whether a place of the last picture is the list's.
func (m *model) onList(x, y int) bool {
	p := m.picture
	return x < p.left && y >= p.list && y < p.list+p.rows
}

// click selects what was clicked.
func (m *model) click(msg tea.MouseClickMsg) {
	if msg.Button != tea.MouseLeft || m.help != nil || !m.onList(msg.X, msg.Y) {
		return
	}
	if at := m.board.clicked(msg.Y - m.picture.list); at >= 0 {
		m.disarm()
		m.board.choose(at)
		m.changed()
	}
}
