package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/pane"
)

// layout is what stands around a conversation: the head above it and what is in front below
// it. Of two panes each has one, and what stands below both another.
type layout struct {
	top, bottom []draw.Styled
	y, x        int // the cursor, counted in bottom; y < 0 for none

	cardsAt          int // where in bottom the cards begin
	lineAt, lineRows int // and the composer, with how many rows
	first            int // the first row of its text that is drawn
}

// shares are how many rows the parts below the conversation may take. What the pinned cards may
// follows from what the others leave.
type shares struct{ queue, line, now, rule, status int }

// airy is the height from which blank lines set the parts apart, and from which a row that
// becomes empty stays.
const airy = 18

func sharesOf(height int) shares {
	s := shares{line: max(1, height/3), status: 1, now: 1, rule: 1}
	switch {
	case height >= 30:
		s.queue = 3
	case height >= airy:
		s.queue = 2
	case height >= 10:
		s.queue = 1
	default:
		s.rule = 0
	}
	if height < 6 {
		s.now = 0
	}
	if height < 3 {
		s.status = 0
	}
	return s
}

// canvas is what the whole screen is drawn on.
func (m *model) canvas() draw.Canvas {
	return draw.Canvas{
		Theme: m.theme, Glyphs: m.glyphs, Markdown: m.markdown,
		Width: max(1, m.width), Now: m.clock.Read(), Frame: m.clock.Frame, Details: m.details,
		Links: m.term.Links, Folder: m.workplace(m.open), Borders: m.height >= draw.BorderedFrom,
	}
}

// canvasOf is what a pane is drawn on.
func (m *model) canvasOf(p pane.Pane) draw.Canvas {
	c := m.canvas()
	c.Width, c.Folder = max(1, p.Width), m.workplace(p.Session)
	return c
}

// stage is the part of the pane with the focus that the conversation has.
func (m *model) stage() (draw.Canvas, int) { return m.stageOf(m.pane()) }

func (m *model) stageOf(p pane.Pane) (draw.Canvas, int) {
	c := m.canvasOf(p).Narrow(1) // a margin on the right: text does not touch the edge
	height := m.picture.room
	for _, h := range m.picture.panes {
		if h.pane.Session == p.Session {
			height = h.room
		}
	}
	if height <= 0 {
		height = max(1, m.height-6)
	}
	return c, height
}

// fronts are the places of what stands in front of the composers, over the whole width.
const fronts = answering | atReason | atPicker | atDenials | atRewind

// arrange draws the head of a subagent's session and everything below the conversation.
func (m *model) arrange(c draw.Canvas, p pane.Pane) layout {
	s := sharesOf(m.height)
	l := layout{y: -1}
	if m.dashboard == nil && m.changes == nil {
		m.arrangeHead(c, p.Session, &l)
	}
	switch at := m.at(); {
	case at&fronts != 0:
		m.arrangeFront(c, &l)
	case at == atRecall:
		l.bottom, l.y, l.x = m.recalling.Render(c, s.line, s.rule > 0)
	case at == atHelp:
		l.bottom = []draw.Styled{c.Ruled("")}
	case at == atComment:
		l.bottom, l.y, l.x = m.review.writing.Render(c, max(1, min(4, m.height/3)))
	case at&(atDashboard|atFilter|atChanges) != 0:
		if l.bottom = m.renderNotices(c); len(l.bottom) == 0 {
			l.bottom = []draw.Styled{c.Ruled("")}
		}
	default:
		m.arrangeAlone(c, s, p.Session, &l)
	}
	m.arrangeStatus(c, s, &l)
	return l
}

func (m *model) arrangeHead(c draw.Canvas, session lifecycle.SessionID, l *layout) {
	if m.hasHead(session) {
		l.top = []draw.Styled{m.renderHead(c, session), ""}
	}
}

// arrangeFront draws what is in front of the composers.
func (m *model) arrangeFront(c draw.Canvas, l *layout) {
	switch m.at() {
	case atDialog:
		m.arrangeDialog(c, l)
	case atQuestion:
		if m.asksBeside() {
			l.bottom = []draw.Styled{c.Ruled("")}
			break
		}
		under, y, x := m.renderBeneath(c)
		l.bottom = m.renderQuestion(c, max(4, m.questionRoom()-len(under)), nil)
		l.putUnder(under, y, x)
	case atReason:
		l.bottom, l.y, l.x = m.renderReason(c, m.questionRoom())
	case atPicker:
		l.bottom, l.y, l.x = m.picker.Render(c, m.height)
	case atRewind:
		l.bottom = m.rewinding.Render(c, m.questionRoom(), m.renderNotices(c.Content().Inside()))
	case atDenials:
		l.bottom = m.renderDenials(c, m.questionRoom())
	default: // the others are no fronts
	}
	if m.at()&covered != 0 && m.dashboard == nil {
		m.arrangeCovered(c, l)
	}
}

// arrangeStatus draws the last line of the screen. What has no room above it is cut off.
func (m *model) arrangeStatus(c draw.Canvas, s shares, l *layout) {
	if s.status > 0 {
		l.bottom = append(l.bottom, m.renderStatus(c))
	}
	l.keepLast(m.height)
}

// keepLast keeps no more rows below the conversation than there are.
func (l *layout) keepLast(rows int) {
	over := len(l.bottom) - rows
	if over <= 0 {
		return
	}
	l.bottom = l.bottom[over:]
	l.y = max(-1, l.y-over)
	l.cardsAt, l.lineAt = l.cardsAt-over, l.lineAt-over
}

// arrangeDialog draws a dialog and, below one that stays, what is typed meanwhile.
func (m *model) arrangeDialog(c draw.Canvas, l *layout) {
	m.dialog.Sums = m.sumsIn(c)
	if !m.dialog.Stays {
		l.bottom = m.dialog.Render(c, m.height-m.dockReserve())
		return
	}
	under, y, x := m.renderBeneath(c)
	m.dialog.Note = ""
	switch {
	case !m.quiet(m.clock.Read()):
		m.dialog.Note = " pause to answer "
	case len(under) > 0:
		m.dialog.Note = " ↑ ↓ choose an answer "
	}
	l.bottom = m.dialog.Render(c, max(4, m.height-m.dockReserve()-len(under)))
	l.putUnder(under, y, x)
}

// putUnder puts the line that takes text below a question; y < 0 for no cursor in it.
func (l *layout) putUnder(lines []draw.Styled, y, x int) {
	if len(lines) > 0 && y >= 0 {
		l.y, l.x = len(l.bottom)+1+y, x
	}
	l.bottom = append(l.bottom, lines...)
}

// hasHead reports whether the head of a subagent's view has room, with a line below it.
func (m *model) hasHead(session lifecycle.SessionID) bool {
	return session != m.runs.Root() && m.height >= 8
}

// questionRoom is what a question may take: two thirds of a screen, all of a low one, less
// what the pinned cards need.
func (m *model) questionRoom() int {
	if m.height < airy {
		return max(4, m.height-1)
	}
	return m.height*2/3 - m.dockReserve()
}

// mostReserved is how many pinned cards have room above whatever is in front of the composer.
const mostReserved = 3

// dockReserve is the room that pinned cards have above a question or a dialog, with a blank line.
func (m *model) dockReserve() int {
	if m.height < airy {
		return 0
	}
	if n := min(mostReserved, len(m.docked())); n > 0 {
		return n + 1
	}
	return 0
}

// dockRoom is how many rows the pinned cards may have beside so many others: the conversation
// keeps a third of the screen.
func (m *model) dockRoom(others int) int {
	return m.height - (m.height+2)/3 - others
}

// leastOfTalk is how many rows of the conversation are worth more than the line of who asks.
const leastOfTalk = 2

// arrangeCovered puts the pinned cards above what is in front of the composer.
func (m *model) arrangeCovered(c draw.Canvas, l *layout) {
	others := len(l.bottom) + 1 // the status line
	if m.height >= airy {
		others++
	}
	spared := min(1, max(0, m.height-others-leastOfTalk)) // who asks has a line on low screens too
	lines := m.renderDock(c, max(m.dockReserve()-1, m.dockRoom(others), spared))
	if len(lines) == 0 {
		return
	}
	if m.height >= airy {
		lines = append([]draw.Styled{""}, lines...)
	}
	l.bottom = append(lines, l.bottom...)
	if l.y >= 0 {
		l.y += len(lines)
	}
}

// arrangeAlone draws what stands around the composer of a session that has the screen for itself:
// what goes on, what waits, the cards, the answer to the last key, and on the rule the sums.
func (m *model) arrangeAlone(c draw.Canvas, s shares, session lifecycle.SessionID, l *layout) {
	m.arrangeNow(c, s, session, l)
	line := layout{y: -1}
	m.arrangeLine(c, s, session, m.sums(), &line)
	notices := m.renderNotices(c)
	others := len(l.bottom) + len(notices) + len(line.bottom) + s.status
	if m.height >= airy {
		others++
	}
	m.arrangeDock(c, max(min(1, s.now), m.dockRoom(others)), []draw.Styled{""}, l)
	l.bottom = append(l.bottom, notices...)
	if m.height >= airy && len(l.bottom) == 0 {
		l.bottom = append(l.bottom, "")
	}
	l.add(line)
}

// add puts a composer below what is there already.
func (l *layout) add(line layout) {
	at := len(l.bottom)
	l.bottom = append(l.bottom, line.bottom...)
	l.lineAt, l.lineRows, l.first = at+line.lineAt, line.lineRows, line.first
	if line.y >= 0 {
		l.y, l.x = at+line.y, line.x
	}
}

// arrangeNow draws what goes on in a session, and the messages that wait for it.
func (m *model) arrangeNow(c draw.Canvas, s shares, session lifecycle.SessionID, l *layout) {
	if s.now > 0 {
		now := m.renderNow(c, session)
		if len(now) > 0 && m.height >= airy {
			l.bottom = append(l.bottom, "")
		}
		l.bottom = append(l.bottom, now...)
	}
	l.bottom = append(l.bottom, m.renderQueue(c, session, s.queue)...)
}

// arrangeDock draws the pinned cards in so many rows at most, below what sets them apart where
// blank lines have room.
func (m *model) arrangeDock(c draw.Canvas, most int, above []draw.Styled, l *layout) {
	cards := m.renderDock(c, most)
	if len(cards) > 0 && m.height >= airy {
		l.bottom = append(l.bottom, above...)
	}
	l.cardsAt = len(l.bottom)
	l.bottom = append(l.bottom, cards...)
}

// arrangeLine draws the composer of a session below a rule with sums, and the completions above
// the one that has the focus.
func (m *model) arrangeLine(c draw.Canvas, s shares, session lifecycle.SessionID, sums dock.Sums, l *layout) {
	focused := session == m.open
	if focused && m.completing() {
		l.bottom = append(l.bottom, m.completion.Render(c, m.height)...)
	}
	lines, y, x := m.renderLine(c, session, s.line)
	if s.rule > 0 {
		l.bottom = append(l.bottom, m.renderRule(c, session, sums, len(lines)))
	}
	if focused && m.at()&(typing|atCompletion|atSearch) != 0 {
		l.y, l.x = len(l.bottom)+y, x
	}
	l.lineAt, l.lineRows, l.first = len(l.bottom), len(lines), m.composerOf(session).Row(c)-y
	l.bottom = append(l.bottom, lines...)
}

// renderRule draws the rule above a composer: sums, and how much of the text is seen. Of two it
// stands out over the one with the focus.
func (m *model) renderRule(c draw.Canvas, session lifecycle.SessionID, sums dock.Sums, rows int) draw.Styled {
	if session == m.open && m.sideBySide() {
		c.Theme.Faint = c.Theme.Accent
	}
	var words sanitize.Text
	if m.search == nil && !m.recorded() {
		words = m.composerOf(session).Measure(c, rows)
	}
	return c.RuledAfter(sums.Words(c, c.Width-draw.Cells(words)-8), words)
}

// renderLine draws what is typed: a composer or, in the place of the one with the focus, what
// is searched for.
func (m *model) renderLine(c draw.Canvas, session lifecycle.SessionID, height int) (lines []draw.Styled, y, x int) {
	focused := session == m.open
	if m.search != nil && focused {
		line, x := m.renderSearch(c)
		return []draw.Styled{line}, 0, x
	}
	if m.recorded() {
		return []draw.Styled{m.renderRecording(c)}, 0, 0
	}
	if !focused || m.at()&(typing|atCompletion) == 0 { // the focus is elsewhere
		c.Glyphs.Prompt, c.Theme.Accent, c.Theme.Warn, c.Theme.Text = draw.Dot, c.Theme.Faint, c.Theme.Faint, c.Theme.Dim
	}
	return m.composerOf(session).Render(c, m.placeholder(session), height)
}

// renderNotices draws the answer to the last key, and what is wrong with the log.
func (m *model) renderNotices(c draw.Canvas) []draw.Styled {
	var lines []draw.Styled
	if m.fault != "" {
		lines = append(lines, c.Theme.Bad.Draw(c.Cut(draw.Sprintf("%s not saved: %s", c.Glyphs.Failed, m.fault), c.Width)))
	}
	if m.broken != "" {
		lines = append(lines, c.Theme.Bad.Draw(c.Cut(draw.Sprintf("%s the screen may be out of date: %s", c.Glyphs.Failed, m.broken), c.Width)))
	}
	if m.options.Unready != "" {
		lines = append(lines, c.Brief(c.Theme.Warn, draw.Sprintf("%s %s", c.Glyphs.Warning, m.options.Unready))...)
	}
	if m.notice.Text == "" && m.leaving {
		words := sanitize.Text("quits when the last run ends")
		if m.at() == atComposer {
			words += " · esc cancel"
		}
		return append(lines, "  "+c.Theme.Dim.Draw(c.Cut(words, c.Width-2)))
	}
	return append(lines, m.notice.Render(c)...)
}

// renderHead draws the first line of a subagent's view.
func (m *model) renderHead(c draw.Canvas, session lifecycle.SessionID) draw.Styled {
	if session != m.open {
		c.Theme.Strong = c.Theme.Dim
	}
	place := slices.Index(m.runs.Sessions, session) + 1
	right := c.Theme.Faint.Draw(draw.Sprintf("%d of %d", place, len(m.runs.Sessions)))
	if place == 0 { // a command of the user's own
		right = ""
	}
	return m.newestCard(m.runs.Latest(session)).Head(c, right)
}
