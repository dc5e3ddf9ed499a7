package ui

import (
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// scroll is where a view stands in what it shows: at its end, following it, or
// held with one line at the top.
type scroll struct {
	held        bool
	block, line int // the line at the top, while held; line counts the gap before a block

	known  int  // how many blocks there were when the hold began
	grown  int  // and how many lines the last of them had
	oldest bool // on its way to the oldest line, which may have to be read first

	goal goal // on its way to a block, which may have to be read first
}

// goal is the block with a record: where none has it the one before it or, onward, the
// one behind it. The zero goal is none.
type goal struct {
	seq    lifecycle.Seq
	onward bool
}

// seen is what stands on one row of the conversation: a line of a block, -1 in the
// gap before it.
type seen struct{ block, line, of int }

func (m *model) view() *scroll { return m.viewOf(m.open) }

func (m *model) viewOf(session lifecycle.SessionID) *scroll {
	s, ok := m.views[session]
	if !ok {
		s = &scroll{}
		m.views[session] = s
	}
	return s
}

// runsOn are the runs that a block's tool call started.
func (m *model) runsOn(talk *transcript.Conversation, i int) []transcript.Card {
	var runs []transcript.Card
	if b := talk.Blocks[i]; b.Kind == transcript.Tool {
		for _, run := range m.runs.Started(talk.Session, b.Call) {
			runs = append(runs, m.cardOf(run))
		}
	}
	return runs
}

// blockLines draws one block with the gap before it.
func (m *model) blockLines(talk *transcript.Conversation, i int, c draw.Canvas) (gap int, lines []draw.Styled) {
	b, runs := talk.Blocks[i], m.runsOn(talk, i)
	lines = b.Lines(b.ForBlock(c), runs)
	if i > 0 && len(lines) > 0 && (!b.Tight() || !talk.Blocks[i-1].Tight()) {
		gap = 1
	}
	if m.beginsNew(talk, i) {
		gap = aboveNew
	}
	return gap, lines
}

// window is the lines of a conversation that fit a height, and what each of them
// is. Only the blocks that are seen are drawn.
func (s *scroll) window(m *model, talk *transcript.Conversation, c draw.Canvas, height int) ([]draw.Styled, []seen) {
	if height <= 0 {
		return nil, nil
	}
	if s.held {
		if lines, rows := s.below(m, talk, c, height); len(lines) == height {
			return lines, rows
		}
		s.held = false // the end is in sight: follow it
	}
	top := s.fromEnd(m, talk, c, height)
	if i := m.readAt(talk); i >= 0 && i < top.block { // it does not leave who reads it
		gap, lines := m.blockLines(talk, i, c)
		s.remember(m, talk)
		s.held, s.block, s.line = true, i, gap+len(lines)-1
		return s.below(m, talk, c, height)
	}
	return (&scroll{held: true, block: top.block, line: top.line}).below(m, talk, c, height)
}

// rows is what is in sight.
func (m *model) rows() []seen {
	c, height := m.stage()
	_, rows := m.view().window(m, m.talk(m.open), c, height)
	return rows
}

// below draws down from the top line.
func (s *scroll) below(m *model, talk *transcript.Conversation, c draw.Canvas, height int) ([]draw.Styled, []seen) {
	lines, rows := make([]draw.Styled, 0, height), make([]seen, 0, height)
	skip := s.line
	for i := s.block; i < len(talk.Blocks) && len(lines) < height; i++ {
		gap, drawn := m.blockLines(talk, i, c)
		if skip >= gap+len(drawn) {
			skip -= gap + len(drawn)
			continue
		}
		drawn = m.dressed(talk, i, c, drawn)
		for n := skip; n < gap+len(drawn) && len(lines) < height; n++ {
			var line draw.Styled
			switch {
			case n >= gap:
				line = drawn[n-gap]
			case gap == aboveNew && n == saidNew:
				line = c.Heading(sinceLooked)
			}
			lines, rows = append(lines, line), append(rows, seen{i, max(-1, n-gap), len(drawn)})
		}
		skip = 0
	}
	return lines, rows
}

// dressed is a block as it is drawn now, with the marks of who reads in it.
func (m *model) dressed(talk *transcript.Conversation, i int, c draw.Canvas, lines []draw.Styled) []draw.Styled {
	lines = m.lightened(talk.Blocks[i], c, lines)
	if m.reader != nil && m.reader.block.Newest() == talk.Blocks[i] {
		return c.MarkLeft(lines)
	}
	return lines
}

// fromEnd finds the top line of the last screen.
func (s *scroll) fromEnd(m *model, talk *transcript.Conversation, c draw.Canvas, height int) scroll {
	need := height
	for i := len(talk.Blocks) - 1; i >= 0; i-- {
		gap, drawn := m.blockLines(talk, i, c)
		if n := gap + len(drawn); n < need {
			need -= n
		} else {
			return scroll{block: i, line: n - need}
		}
	}
	return scroll{}
}

// top is the line that stands at the top now.
func (s *scroll) top(m *model, talk *transcript.Conversation) scroll {
	if s.held {
		return *s
	}
	c, height := m.stage()
	return s.fromEnd(m, talk, c, height)
}

// move scrolls by some lines, down where by is positive.
func (s *scroll) move(m *model, talk *transcript.Conversation, by int) {
	top := s.top(m, talk)
	if !s.held {
		s.remember(m, talk)
	}
	top.known, top.grown, top.oldest, top.goal = s.known, s.grown, false, goal{}
	c, height := m.stage()
	for ; by < 0; by++ {
		if top.line > 0 {
			top.line--
			continue
		}
		if top.block == 0 {
			break
		}
		top.block--
		gap, drawn := m.blockLines(talk, top.block, c)
		top.line = max(0, gap+len(drawn)-1)
	}
	for ; by > 0 && top.block < len(talk.Blocks); by-- {
		gap, drawn := m.blockLines(talk, top.block, c)
		if top.line++; top.line >= gap+len(drawn) {
			top.block, top.line = top.block+1, 0
		}
	}
	end := s.fromEnd(m, talk, c, height)
	top.held = top.block < end.block || top.block == end.block && top.line < end.line
	*s = top
}

// jump holds a line of a block some rows below the top.
func (s *scroll) jump(m *model, talk *transcript.Conversation, block, line, down int) {
	if !s.held {
		s.remember(m, talk)
	}
	s.held, s.block, s.line, s.oldest = true, block, line, false
	s.move(m, talk, -down)
}

// remember notes where the conversation ended when the hold began.
func (s *scroll) remember(m *model, talk *transcript.Conversation) {
	s.known, s.grown = len(talk.Blocks), 0
	if s.known > 0 {
		c, _ := m.stage()
		_, lines := m.blockLines(talk, s.known-1, c)
		s.grown = len(lines)
	}
}

// news is how many lines have come since the hold began, as far as it is worth
// counting: newsCounted.
func (s *scroll) news(m *model, talk *transcript.Conversation) int {
	if !s.held || s.known == 0 || s.known > len(talk.Blocks) {
		return 0
	}
	c, _ := m.stage()
	_, lines := m.blockLines(talk, s.known-1, c)
	n := len(lines) - s.grown
	for i := s.known; i < len(talk.Blocks) && n < newsCounted; i++ {
		gap, lines := m.blockLines(talk, i, c)
		n += gap + len(lines)
	}
	return max(0, min(n, newsCounted))
}

// newsCounted is where counting new lines ends: who is that far behind wants to
// know nothing but the way.
const newsCounted = 999

// mark is the record at the top, to find the place again when older blocks have
// come before it.
func (s *scroll) mark(talk *transcript.Conversation) lifecycle.Seq {
	if !s.held || s.block >= len(talk.Blocks) {
		return 0
	}
	return talk.Blocks[s.block].Seq
}

func (s *scroll) find(talk *transcript.Conversation, at lifecycle.Seq) {
	if !s.held || at == 0 {
		return
	}
	for i, b := range talk.Blocks {
		if b.Seq >= at {
			s.block = i
			return
		}
	}
}
