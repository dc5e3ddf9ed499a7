package fleet

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// leastTail is how many lines of a conversation are worth a rule above them.
const leastTail = 3

// wanted is how many rows the selected session needs to show its question whole; 0 where it asks
// nothing.
func (m *model) wanted(c draw.Canvas, s *Session) int {
	if s.Question == nil {
		return 0
	}
	c = c.Narrow(1)
	return len(m.renderFacts(c, s)) + len(m.renderQuestion(c, s)) + 3 // two gaps, and the answers
}

// renderSession draws the selected session in so many rows: what it is, what it asks, and the end of
// its conversation. whole is the question that all of stands there; empty for none.
func (m *model) renderSession(c draw.Canvas, s *Session, height int) (lines []draw.Styled, whole lifecycle.QuestionID) {
	lines = m.renderFacts(c, s)
	if s.Question != nil {
		lines, whole = m.withQuestion(c, s, lines, height)
	}
	if room := height - len(lines) - 1; room >= leastTail {
		if tail := m.tail(c, s, room); len(tail) > 0 {
			lines = append(append(lines, ""), tail...)
		}
	}
	return filled(lines, height)[:height], whole
}

// withQuestion draws a question below the facts. Where there is too little room for both, only the
// first of these stays; where there is too little for the question, that is said.
func (m *model) withQuestion(c draw.Canvas, s *Session, facts []draw.Styled, height int) (lines []draw.Styled, whole lifecycle.QuestionID) {
	question, answers := m.renderQuestion(c, s), m.answerLine(c, s)
	gap := make([]draw.Styled, 1)
	for _, parts := range [][][]draw.Styled{
		{facts, gap, question, gap, {answers}},
		{facts, question, gap, {answers}},
		{facts[:1], question, gap, {answers}},
		{facts[:1], question, {answers}},
	} {
		if lines = slices.Concat(parts...); len(lines) <= height {
			return lines, s.Question.ID
		}
	}
	shown := min(len(question), max(0, height-2))
	rest := draw.Sprintf("%s: enter opens it", words.Count(max(1, len(question)-shown), "more line"))
	return slices.Concat(facts[:1], question[:shown], []draw.Styled{"  " + c.Theme.Warn.Draw(c.Cut(rest, c.Width-2))}), ""
}

// tail is the end of its conversation, where that has been read.
func (m *model) tail(c draw.Canvas, s *Session, room int) []draw.Styled {
	if m.look.session != s.ID {
		return nil
	}
	if !m.moves(s) { // what it left unfinished takes no time
		c.Now = m.look.last
	}
	return m.look.render(c, room)
}

// moves reports whether the conversation of a session shows a time that goes on.
func (m *model) moves(s *Session) bool {
	return s.Hosted && s.Need <= Works && m.look.session == s.ID && m.look.open
}

// renderFacts draws which session it is, how it stands and what it took.
func (m *model) renderFacts(c draw.Canvas, s *Session) []draw.Styled {
	name := signOf(c, s) + " " + c.Theme.Strong.Draw(c.Cut(titleOf(s), c.Width-2))
	lines := []draw.Styled{name}
	look, words := doing(c, s)
	if s.Question == nil {
		lines = append(lines, "  "+look.Draw(c.CutWords(words, c.Width-2)))
	}
	parts := []draw.Styled{m.standing(c, s)}
	for _, text := range []sanitize.Text{sanitize.Line(s.Folder), subagentWords(s), slotSentence(s)} {
		parts = append(parts, c.Theme.Dim.Draw(text))
	}
	parts = append(parts, c.Theme.Warn.Draw(deniedWords(s)))
	for _, text := range []sanitize.Text{tokenWords(s), draw.Dollars(s.CostUSD), screenWords(s)} {
		parts = append(parts, c.Theme.Dim.Draw(text))
	}
	flowed := flowJoined(c.Narrow(2), parts)
	last := len(flowed) - 1
	if both := c.Join(flowed[last], c.Theme.Faint.Draw(shortID(s.ID))); draw.Cells(both) <= c.Width-2 {
		flowed[last] = both
	}
	return append(lines, draw.Indent(flowed)...)
}

// flowJoined draws the parts that are not empty with dots between them, on at most two lines.
func flowJoined(c draw.Canvas, parts []draw.Styled) []draw.Styled {
	lines, at := []draw.Styled{""}, 0
	for _, part := range parts {
		if part == "" {
			continue
		}
		both := c.Join(lines[at], part)
		switch {
		case draw.Cells(both) <= c.Width:
			lines[at] = both
		case at == 0 && lines[at] != "":
			lines, at = append(lines, c.CutStyled(part, c.Width)), 1
		case lines[at] == "":
			lines[at] = c.CutStyled(part, c.Width)
		}
	}
	return lines
}

// slotSentence is slotWords where there is room for a sentence.
func slotSentence(s *Session) sanitize.Text {
	taken := slotWords(&Session{Running: s.Running, Slots: s.Slots})
	if s.Running > 0 && s.Slots > 0 {
		taken += " slots"
	}
	if s.Queued > 0 {
		taken = join(taken, draw.Sprintf("%s for a slot", words.CountOf(s.Queued, "waits", "wait")))
	}
	return taken
}

// standing is how a session stands, and for how long.
func (m *model) standing(c draw.Canvas, s *Session) draw.Styled {
	age := ageWords(s, c.Now)
	forSo, ago := sanitize.Text(""), sanitize.Text("")
	if age != "" && age != "now" {
		forSo, ago = " for "+age, " "+age+" ago"
	}
	switch {
	case m.stopping[s.ID]:
		return c.Theme.Warn.Draw("stopping")
	case s.Need == NeedsYou:
		return c.Theme.Warn.Draw("needs you" + forSo)
	case s.Need == Works:
		return c.Theme.Accent.Draw("works" + forSo)
	case s.State == "":
		return c.Theme.Dim.Draw("empty")
	}
	return c.Theme.State(s.State).Draw(wording.State(s.State)) + c.Theme.Dim.Draw(ago)
}

// screenWords say whether a process drives a session, and who looks at it.
func screenWords(s *Session) sanitize.Text {
	switch {
	case !s.Hosted:
		return "saved, not open"
	case s.Screens > 0:
		return draw.Sprintf("on %s", words.Count(s.Screens, "screen"))
	}
	return "on no screen"
}

// shortID is the end of an id, which differs most.
func shortID(id lifecycle.SessionID) sanitize.Text {
	return draw.Sprintf("…%s", words.Last(string(id), 4))
}
