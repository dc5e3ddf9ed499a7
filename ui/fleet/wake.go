package fleet

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/ui/terminal"
)

// wake is the message of the one timer, with the moment it was set for.
type wake time.Time

// nextChange is when something that is shown changes by itself; the zero time where nothing does.
func (m *model) nextChange() time.Time {
	now := m.now()
	var next time.Time
	at := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, l := range m.board.lines[m.picture.first:min(m.picture.last, len(m.board.lines))] {
		if l.kind != ofSession {
			continue
		}
		if d := olderIn(&m.board.sessions[m.board.kept[l.kept]], now); d > 0 {
			at(now.Add(max(d, time.Second))) // figures change once a second at most
		}
	}
	if m.armed.session != "" {
		at(m.armed.until)
	}
	if m.asks() && m.layout().shown() {
		at(m.quietAt())
	}
	if s, is := m.board.current(); is && m.layout().shown() && m.moves(&s) {
		at(now.Add(time.Second))
	}
	if m.layout().shown() && m.look.stale && !m.look.reading {
		at(m.peekDue())
	}
	return next
}

// setTimer starts the timer for the next change, unless one runs that comes no later.
func (m *model) setTimer() tea.Cmd {
	next := m.nextChange()
	if next.IsZero() || !m.due.IsZero() && !m.due.After(next) {
		return nil
	}
	m.due = next
	return terminal.After(m.ctx, next.Sub(m.now()), func(time.Time) tea.Msg { return wake(next) })
}

// woken draws what has changed. A timer that an earlier one has overtaken says nothing new.
func (m *model) woken(at time.Time) {
	if !at.Equal(m.due) {
		return
	}
	m.due = time.Time{}
	if m.armed.session != "" && m.letter.text == "" && !m.now().Before(m.armed.until) {
		m.armed = arming{}
		m.unsay()
	}
	m.changed()
}
