package ui

import "pawl/lifecycle"

// scroll is where a view stands in what it shows: at its end, following it, or
// held with one line at the top.
type scroll struct {
	held        bool
	block, line int // the line at the top, while held; line counts the gap before a block
}

func (m *model) view() *scroll { return m.viewOf(m.open) }

func (m *model) viewOf(session lifecycle.SessionID) *scroll {
	s, ok := m.views[session]
	if !ok {
		s = &scroll{}
		m.views[session] = s
	}
	return s
}

// blockLines draws one block with the gap before it.
func (m *model) blockLines(talk *conversation, i int, c canvas) (gap int, lines []styled) {
	b := talk.blocks[i]
	var runs []cardRun
	if b.kind == tool {
		for _, run := range m.runs.started(talk.session, b.call) {
			runs = append(runs, m.cardOf(run))
		}
	}
	lines = b.lines(c, runs)
	if i > 0 && len(lines) > 0 && (!b.tight() || !talk.blocks[i-1].tight()) {
		gap = 1
	}
	return m.ruledOff(talk, i, c, gap, lines)
}

// window is the lines of a conversation that fit a height. Only the blocks that
// are seen are drawn.
func (s *scroll) window(m *model, talk *conversation, c canvas, height int) []styled {
	if height <= 0 {
		return nil
	}
	if s.held {
		if lines := s.below(m, talk, c, height); len(lines) == height {
			return lines
		}
		s.held = false // the end is in sight: follow it
	}
	top := s.fromEnd(m, talk, c, height)
	return (&scroll{held: true, block: top.block, line: top.line}).below(m, talk, c, height)
}

// below draws down from the top line.
func (s *scroll) below(m *model, talk *conversation, c canvas, height int) []styled {
	lines := make([]styled, 0, height)
	skip := s.line
	for i := s.block; i < len(talk.blocks) && len(lines) < height; i++ {
		gap, drawn := m.blockLines(talk, i, c)
		for n := range gap + len(drawn) {
			if skip > 0 {
				skip--
				continue
			}
			if len(lines) == height {
				break
			}
			if n < gap {
				lines = append(lines, "")
			} else {
				lines = append(lines, drawn[n-gap])
			}
		}
	}
	return lines
}

// fromEnd finds the top line of the last screen.
func (s *scroll) fromEnd(m *model, talk *conversation, c canvas, height int) scroll {
	need := height
	for i := len(talk.blocks) - 1; i >= 0; i-- {
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
func (s *scroll) top(m *model, talk *conversation) scroll {
	if s.held {
		return *s
	}
	c, height := m.stage()
	return s.fromEnd(m, talk, c, height)
}

// move scrolls by some lines, down where by is positive.
func (s *scroll) move(m *model, talk *conversation, by int) {
	top := s.top(m, talk)
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
	for ; by > 0 && top.block < len(talk.blocks); by-- {
		gap, drawn := m.blockLines(talk, top.block, c)
		if top.line++; top.line >= gap+len(drawn) {
			top.block, top.line = top.block+1, 0
		}
	}
	end := s.fromEnd(m, talk, c, height)
	top.held = top.block < end.block || top.block == end.block && top.line < end.line
	*s = top
}

// mark is the record at the top, to find the place again when older blocks have
// come before it.
func (s *scroll) mark(talk *conversation) lifecycle.Seq {
	if !s.held || s.block >= len(talk.blocks) {
		return 0
	}
	return talk.blocks[s.block].seq
}

func (s *scroll) find(talk *conversation, at lifecycle.Seq) {
	if !s.held || at == 0 {
		return
	}
	for i, b := range talk.blocks {
		if b.seq >= at {
			s.block = i
			return
		}
	}
}
