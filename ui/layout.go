package ui

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// layout is the lines of one screen: what is in front below, the conversation in
// the room that is left above it.
type layout struct {
	top, bottom []draw.Styled
	y, x        int // the cursor, counted in bottom; y < 0 for none

	cardsAt          int // where in bottom the cards begin
	lineAt, lineRows int // and the composer, with how many rows
	first            int // the first row of its text that is drawn
}

// shares are how many rows the parts below the conversation may take.
type shares struct{ cards, queue, line, now, rule, status int }

func sharesOf(height int) shares {
	s := shares{line: max(1, height/3), status: 1, now: 1, rule: 1}
	switch {
	case height >= 30:
		s.cards, s.queue = 8, 3
	case height >= 18:
		s.cards, s.queue = 5, 2
	case height >= 10:
		s.cards, s.queue = 2, 1
	default:
		s.cards, s.queue, s.rule = 1, 0, 0
	}
	if height < 6 {
		s.cards, s.now = 0, 0
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
		Links: m.term.Links, Folder: m.workplace(), Borders: m.height >= draw.BorderedFrom,
	}
}

// stage is the part of it that the conversation has.
func (m *model) stage() (draw.Canvas, int) {
	c := m.canvas()
	c.Width = max(1, c.Width-1) // a margin on the right: text does not touch the edge
	height := m.picture.room
	if height <= 0 {
		height = max(1, m.height-6)
	}
	return c, height
}

// arrange draws everything below the conversation, and the head of a subagent's
// view above it.
func (m *model) arrange(c draw.Canvas) layout {
	s := sharesOf(m.height)
	l := layout{y: -1}
	if m.hasHead() {
		l.top = []draw.Styled{m.renderHead(c), ""}
	}
	switch m.at() {
	case atDialog:
		m.arrangeDialog(c, &l)
	case atQuestion:
		under, y, x := m.renderBeneath(c)
		l.bottom = m.renderQuestion(c, max(4, m.questionRoom()-len(under)), nil)
		l.putUnder(under, y, x)
	case atReason:
		l.bottom, l.y, l.x = m.renderReason(c, m.questionRoom())
	case atPicker:
		l.bottom, l.y, l.x = m.picker.Render(c, m.height)
	case atDenials:
		l.bottom = m.renderDenials(c, m.questionRoom())
	case atRecall:
		l.bottom, l.y, l.x = m.recalling.Render(c, s.line, s.rule > 0)
	case atHelp, atTimeline:
		l.bottom = []draw.Styled{c.Ruled("")}
	default:
		m.arrangeLine(c, s, &l)
	}
	if s.status > 0 {
		l.bottom = append(l.bottom, m.renderStatus(c))
	}
	if over := len(l.bottom) - m.height; over > 0 {
		l.bottom = l.bottom[over:]
		l.y = max(-1, l.y-over)
		l.cardsAt, l.lineAt = l.cardsAt-over, l.lineAt-over
	}
	return l
}

// arrangeDialog draws a dialog and, below one that stays, what is typed meanwhile.
func (m *model) arrangeDialog(c draw.Canvas, l *layout) {
	if !m.dialog.Stays {
		l.bottom = m.dialog.Render(c, m.height)
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
	l.bottom = m.dialog.Render(c, max(4, m.height-len(under)))
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
func (m *model) hasHead() bool { return m.open != m.runs.Root() && m.height >= 8 }

// questionRoom is what a question may take: two thirds of a screen, all of a low
// one.
func (m *model) questionRoom() int {
	if m.height < 18 {
		return max(4, m.height-1)
	}
	return m.height * 2 / 3
}

// arrangeLine draws what stands around the composer: what goes on, what waits,
// the cards, the answer to the last key.
func (m *model) arrangeLine(c draw.Canvas, s shares, l *layout) {
	if s.now > 0 {
		if now := m.renderNow(c); now != nil {
			l.bottom = append(append(l.bottom, ""), now...)
		}
	}
	l.bottom = append(l.bottom, m.renderQueue(c, s.queue)...)
	if cards := m.pinned(c, s.cards); len(cards) > 0 {
		if s.rule > 0 {
			l.bottom = append(l.bottom, "")
		}
		l.cardsAt = len(l.bottom)
		l.bottom = append(l.bottom, cards...)
	}
	l.bottom = append(l.bottom, m.renderNotices(c)...)
	if s.rule > 0 && m.height >= 18 && len(l.bottom) == 0 {
		l.bottom = append(l.bottom, "")
	}
	if m.completing() {
		l.bottom = append(l.bottom, m.completion.Render(c, m.height)...)
	}
	lines, y, x := m.renderLine(c, s.line)
	if s.rule > 0 {
		var words sanitize.Text
		if m.search == nil && !m.recorded() {
			words = m.line().Measure(c, len(lines))
		}
		l.bottom = append(l.bottom, c.Ruled(words))
	}
	if m.at()&(typing|atCompletion|atSearch) != 0 {
		l.y, l.x = len(l.bottom)+y, x
	}
	l.lineAt, l.lineRows, l.first = len(l.bottom), len(lines), m.line().Row(c)-y
	l.bottom = append(l.bottom, lines...)
}

// renderLine draws what is typed: the composer, or what is searched for.
func (m *model) renderLine(c draw.Canvas, height int) (lines []draw.Styled, y, x int) {
	if m.recorded() && m.search == nil {
		return []draw.Styled{m.renderRecording(c)}, 0, 0
	}
	if m.search == nil {
		if m.at()&(typing|atCompletion) == 0 { // the focus is elsewhere
			c.Glyphs.Prompt, c.Theme.Accent, c.Theme.Text = draw.Dot, c.Theme.Faint, c.Theme.Dim
		}
		return m.line().Render(c, m.placeholder(), height)
	}
	line, x := m.renderSearch(c)
	return []draw.Styled{line}, 0, x
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
	if m.notice.text == "" && m.leaving {
		words := m.leavingWords()
		if m.at() == atComposer {
			words += " · esc cancel"
		}
		return append(lines, "  "+c.Theme.Dim.Draw(c.Cut(words, c.Width-2)))
	}
	if m.notice.text == "" {
		return lines
	}
	if m.notice.file != "" {
		return append(lines, draw.Indent(m.renderWritten(c.Narrow(2)))...)
	}
	if m.notice.share > 0 {
		return append(lines, draw.Indent(renderShare(c.Narrow(2), m.notice))...)
	}
	look := c.Theme.Dim
	switch m.notice.tone {
	case draw.Quiet:
	case draw.Caution:
		look = c.Theme.Warn
	case draw.Failure:
		look = c.Theme.Bad
	}
	return append(lines, draw.Indent(c.Narrow(2).Brief(look, m.notice.text))...)
}

// renderHead draws the first line of a subagent's view.
func (m *model) renderHead(c draw.Canvas) draw.Styled {
	c = c.Content()
	run := m.runs.Latest(m.open)
	card := m.newestCard(run)
	place := 0
	for i, session := range m.runs.Sessions {
		if session == m.open {
			place = i + 1
		}
	}
	left := c.Theme.Dim.Draw(c.Glyphs.Back) + " " + c.Theme.Strong.Draw(wording.Name(run))
	state := card.Sign(c) + card.Standing(c)
	right := c.Theme.Faint.Draw(draw.Sprintf("%d of %d", place, len(m.runs.Sessions)))
	kind, marks := c.Theme.Dim.Draw(sanitize.Line(run.Type)), c.Join(card.Marks(c)...)
	var line draw.Styled
	for _, parts := range [][]draw.Styled{
		{left, kind, state, card.Figures(c), marks},
		{left, state, card.Figures(c), marks},
		{left, state, marks},
		{left, state},
		{c.CutStyled(left, max(8, c.Width-draw.Cells(state)-draw.Cells(right)-5)), state},
	} {
		if line = c.Join(parts...); draw.Cells(line)+draw.Cells(right)+2 <= c.Width {
			break
		}
	}
	return c.Between(line, right)
}

func (m *model) placeholder() sanitize.Text {
	if m.open == m.runs.Root() {
		return "Ask Pawl anything"
	}
	if m.takesNoMessages() {
		return noMessagesWords + " · ← back"
	}
	return draw.Sprintf("Message %q", wording.Name(m.runs.Latest(m.open)))
}
