package fleet

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// look is the newest conversation of the selected session.
type look struct {
	session lifecycle.SessionID // whose it is
	talk    *transcript.Conversation
	runs    *transcript.Runs
	last    time.Time // of its newest record
	open    bool      // a call is not answered: while the session works, its time is shown
	err     string
	reading bool      // somebody reads one; it may be another session's
	at      time.Time // when it was read
	stale   bool      // the session has changed since
	back    int       // how many lines the wheel has gone back from its end
}

// peekEvery is how often a conversation is read again at most.
const peekEvery = time.Second

// peeked is what was read of a session.
type peeked struct {
	session lifecycle.SessionID
	records []lifecycle.Record
	err     error
}

// peek reads the conversation of the session that is shown, where it is another one, or has changed
// since. One at a time: who holds a key down passes many sessions.
func (m *model) peek() tea.Cmd {
	s, is := m.board.current()
	if !is || m.options.Peek == nil || m.look.reading || !m.layout().shown() || m.now().Before(m.peekDue()) {
		return nil
	}
	m.look.reading, m.look.stale = true, false
	ctx, read := m.ctx, m.options.Peek
	return func() tea.Msg {
		records, err := read(ctx, s.ID)
		return peeked{s.ID, records, err}
	}
}

// peekDue is when the conversation has to be read again: the zero time for at once, an hour from now if
// nothing in it is out of date.
func (m *model) peekDue() time.Time {
	switch {
	case m.look.session != m.board.selected:
		return time.Time{}
	case m.look.stale:
		return m.look.at.Add(peekEvery)
	}
	return m.now().Add(time.Hour)
}

// peeked takes in what was read. What nobody looks at any more is dropped, and the next one read.
func (m *model) peeked(p peeked) {
	m.look.reading = false
	if p.session != m.board.selected {
		return
	}
	back := 0
	if m.look.session == p.session {
		back = m.look.back
	}
	m.look = look{session: p.session, at: m.now(), stale: m.look.stale, back: back}
	if p.err != nil {
		m.look.err = p.err.Error()
	}
	m.look.fold(p.records)
	m.changed()
}

// fold makes a conversation of the end of a log. What refers to records before it is passed over.
func (l *look) fold(records []lifecycle.Record) {
	l.runs = transcript.NewRuns(lifecycle.Snapshot{Root: l.session})
	l.talk = transcript.NewConversation(l.session, l.runs)
	calls := 0
	for _, rec := range records {
		l.last = rec.Time
		switch rec.Event.(type) {
		case lifecycle.ToolStarted:
			calls++
		case lifecycle.ToolEnded:
			calls = max(0, calls-1)
		default: // no call
		}
		if err := l.runs.Apply(rec); err != nil && rec.Session != l.session {
			continue
		}
		_, told := rec.Event.(lifecycle.NotificationDelivered)
		if rec.Session == l.session || told || l.runs.Run(rec.Run).UserShell() {
			l.talk.Fold(rec)
		}
	}
	l.open = calls > 0
}

// render draws the last lines of the conversation, at most so many.
func (l *look) render(c draw.Canvas, height int) []draw.Styled {
	if l.err != "" {
		return c.Paragraph(c.Theme.Warn, sanitize.Line(l.err))[:1]
	}
	if l.talk == nil || height <= 0 {
		return nil
	}
	wanted := height + l.back + 1 // a blank line may be the first
	var lines []draw.Styled
	blocks := l.talk.Blocks
	for i := len(blocks) - 1; i >= 0 && len(lines) < wanted; i-- {
		drawn := blocks[i].Lines(c, l.cards(blocks[i]))
		if i > 0 && len(drawn) > 0 && (!blocks[i].Tight() || !blocks[i-1].Tight()) {
			drawn = slices.Concat([]draw.Styled{""}, drawn)
		}
		lines = slices.Concat(drawn, lines)
	}
	l.back = max(0, min(l.back, len(lines)-height))
	lines = lines[:len(lines)-l.back]
	lines = lines[max(0, len(lines)-height):]
	if len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}

// cards are the runs that a tool call has started.
func (l *look) cards(b *transcript.Block) []transcript.Card {
	var cards []transcript.Card
	if b.Kind == transcript.Tool {
		for _, run := range l.runs.Started(l.session, b.Call) {
			cards = append(cards, transcript.Card{Run: run, Denied: l.runs.DeniedIn(run), Over: true})
		}
	}
	return cards
}

// toggleLook shows the selected session, or hides it.
func (m *model) toggleLook() tea.Cmd {
	m.disarm()
	if m.layout().over {
		m.covered = !m.covered
	} else {
		m.pane = !m.pane
	}
	m.board.free = false
	m.changed()
	return nil
}
