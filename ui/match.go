package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// match is one place where the words of a search stand: the nth in a block.
type match struct {
	block *transcript.Block
	nth   int
}

// nextPlace goes to the next match below or, with a negative by, above; past the last
// one to the first.
func (m *model) nextPlace(by int) tea.Cmd {
	m.disarm()
	m.changed()
	m.gather()
	s := m.search
	if n := len(s.places); n > 0 {
		s.at = (s.at + by + n) % n
		m.showPlace()
	}
	return m.searchOlder()
}

// seekAgain is nextPlace after the search was left for a block.
func (m *model) seekAgain(by int) tea.Cmd {
	if m.reader.words.Text == "" {
		m.say(draw.Quiet, "no search yet: / starts one")
		return nil
	}
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	typed := m.reader.words
	m.search = &search{words: typed, at: -1, from: talk.Blocks[i]}
	m.gather()
	s := m.search
	s.at = m.beside(talk, i, by)
	if s.at < 0 {
		m.endSearch()
		m.say(draw.Quiet, draw.Sprintf("no other block contains %q", sanitize.Line(typed.Text)))
		return nil
	}
	m.showPlace()
	m.leaveSearch()
	return nil
}

// beside is the first match in another block below or above block i, around the
// ends; -1 where no other block has one.
func (m *model) beside(talk *transcript.Conversation, i, by int) int {
	places := m.search.places
	where := func(n int) int { return slices.Index(talk.Blocks, places[n].block) }
	if by < 0 {
		for n := len(places) - 1; n >= 0; n-- {
			if where(n) < i {
				return n
			}
		}
		if n := len(places) - 1; n >= 0 && where(n) != i {
			return n
		}
		return -1
	}
	for n := range places {
		if where(n) > i {
			return n
		}
	}
	if len(places) > 0 && where(0) != i {
		return 0
	}
	return -1
}

// showPlace scrolls to the match that is shown, and opens the block that hides it;
// the one that was opened for the match before is as it was again.
func (m *model) showPlace() {
	s, talk := m.search, m.talk(m.open)
	if s.turned != nil {
		s.turned = s.turned.Newest()
	}
	if s.at < 0 {
		return
	}
	p := s.places[s.at]
	if s.turned != nil && s.turned != p.block {
		s.turned.FoldAs(s.was)
		s.turned = nil
	}
	if m.reader != nil {
		m.reader.block = p.block
	}
	i := slices.Index(talk.Blocks, p.block)
	c, height := m.stage()
	gap, lines := m.blockLines(talk, i, c)
	all := s.words.Stretches(lines)
	if n := s.words.In(p.block.Sought); matches(all) < n && s.turned == nil {
		s.turned, s.was = p.block, p.block.Folding
		kept := p.block.Sought
		p.block.FoldAs(transcript.Unfolded)
		p.block.Sought = kept
		gap, lines = m.blockLines(talk, i, c)
		all = s.words.Stretches(lines)
	}
	line := 0
	if len(all) > 0 {
		line = all[beginOf(all, p.nth)].Line
	}
	for _, r := range m.rows() {
		if r.Block == i && r.Line == line {
			return
		}
	}
	m.jump(i, gap+line, height/3)
}

func matches(all []transcript.Stretch) int {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Match + 1
}

// beginOf is where the nth match begins in some stretches; the last one's where fewer
// are drawn than there are.
func beginOf(all []transcript.Stretch, nth int) int {
	nth = min(nth, matches(all)-1)
	return slices.IndexFunc(all, func(s transcript.Stretch) bool { return s.Match == nth })
}
