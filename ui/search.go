package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// search is what is looked for in the session that is shown. It goes through the
// text of blocks, not through what is drawn of them: folded ones too, and without
// drawing what is not seen.
type search struct {
	line   composer.Composer // what is typed
	words  transcript.Query
	from   *transcript.Block // where it began: the last one in sight
	places []match
	at     int // of places: the one that is shown, -1 for none

	turned *transcript.Block // was opened to show the place in it
	was    transcript.Folding
}

// searchedAtOnce is how many older records are read at once for a search: it wants
// all of them, soon.
const searchedAtOnce = 4000

func searchKeys() []binding {
	edit := func(change func(*composer.Composer)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			change(&m.search.line)
			return m.seekMatch()
		}
	}
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.nextPlace(by) }
	}
	again := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.seekAgain(by) }
	}
	return []binding{
		{keys: []string{"ctrl+f"}, at: working, when: (*model).lineEmpty, do: (*model).openSearch, help: "on an empty composer: search the session"},
		{keys: []string{"/", "ctrl+f"}, at: atBlock, do: (*model).openSearch, help: "the same from a block; n and N go on to the match above and below"},
		{keys: []string{"n"}, at: atBlock, moves: true, do: again(-1)},
		{keys: []string{"N"}, at: atBlock, moves: true, do: again(1)},
		{keys: []string{"enter", "up"}, at: atSearch, do: step(-1), show: "enter, ↑", help: "the match above"},
		{keys: []string{"shift+enter", "down"}, at: atSearch, do: step(1), show: "shift+enter, ↓", help: "the match below"},
		{keys: []string{"esc", "ctrl+c"}, at: atSearch, do: (*model).leaveSearch, help: "close the search and stay here"},
		{keys: []string{"backspace", "ctrl+h"}, at: atSearch, do: edit(func(c *composer.Composer) { c.Delete(c.Before(c.At), c.At, false) })},
		{keys: []string{"ctrl+w"}, at: atSearch, do: edit(func(c *composer.Composer) { c.Delete(c.WordLeft(c.At, composer.NonSpace), c.At, false) })},
		{keys: []string{"ctrl+u"}, at: atSearch, do: edit((*composer.Composer).Clear)},
	}
}

func (m *model) openSearch() tea.Cmd {
	m.card = ""
	m.search = &search{line: composer.Composer{Goal: -1}, at: -1}
	if rows := m.rows(); len(rows) > 0 {
		m.search.from = m.talk(m.open).Blocks[rows[len(rows)-1].Block]
	}
	return nil
}

// endSearch drops what a search has gathered.
func (m *model) endSearch() {
	if m.search == nil {
		return
	}
	m.search = nil
	for _, b := range m.talk(m.open).Blocks {
		b.Sought = transcript.Sought{}
	}
}

// leaveSearch goes back to where the search was begun, the view stays. From a block
// it is the block of the match that has the focus then, and n and N go on.
func (m *model) leaveSearch() tea.Cmd {
	s := m.search
	if m.reader != nil {
		m.reader.words = s.words
		if s.at >= 0 {
			m.reader.block = s.places[s.at].block
		}
	}
	m.endSearch()
	return nil
}

// typeSearch adds to what is looked for.
func (m *model) typeSearch(text string) tea.Cmd {
	m.search.line.Insert(string(sanitize.Line(text)))
	return m.seekMatch()
}

// seekMatch looks for what is typed now: the newest match above where the search began.
func (m *model) seekMatch() tea.Cmd {
	s := m.search
	s.words, s.at = transcript.NewQuery(s.line.Text), -1
	m.gather()
	talk := m.talk(m.open)
	if s.from != nil {
		s.from = s.from.Newest()
	}
	from := slices.Index(talk.Blocks, s.from)
	place := map[*transcript.Block]int{}
	for i, b := range talk.Blocks {
		place[b] = i
	}
	for i, p := range s.places {
		if s.at < 0 || place[p.block] <= from {
			s.at = i
		}
	}
	m.showPlace()
	return m.searchOlder()
}

// gather finds all matches, in what is there of the session by now. The one that is
// shown stays the one that is shown.
func (m *model) gather() {
	s, talk := m.search, m.talk(m.open)
	var shown match
	if s.at >= 0 && s.at < len(s.places) {
		shown = s.places[s.at]
		shown.block = shown.block.Newest()
	}
	s.places, s.at = nil, -1
	for i, b := range talk.Blocks {
		if b.Sought.Exact == "" {
			b.Sought = transcript.NewSought(b.Readable(m.runsOn(talk, i)))
		}
		for nth := range s.words.In(b.Sought) {
			s.places = append(s.places, match{b, nth})
		}
	}
	s.at = slices.Index(s.places, shown)
	if s.at < 0 {
		s.at = len(s.places) - 1
	}
}

// searchOlder reads on: a search is through all of the session.
func (m *model) searchOlder() tea.Cmd {
	if m.search == nil || m.search.words.Text == "" {
		return nil
	}
	return m.readOlder(m.open, searchedAtOnce)
}

// searchOn takes older blocks into the search.
func (m *model) searchOn() tea.Cmd {
	if m.search == nil || m.search.words.Text == "" {
		return nil
	}
	none := len(m.search.places) == 0
	m.gather()
	if none {
		m.showPlace()
	}
	return m.searchOlder()
}

// marked draws the matches of a block.
func (m *model) marked(b *transcript.Block, lines []draw.Styled) []draw.Styled {
	switch {
	case m.search != nil:
		nth := -1
		if at := m.search.at; at >= 0 && m.search.places[at].block == b {
			nth = m.search.places[at].nth
		}
		return m.search.words.Find(lines).Mark(lines, nth)
	case m.reader != nil:
		return m.reader.words.Find(lines).Mark(lines, -1)
	}
	return lines
}

// renderSearch draws the line of the search in place of the composer, and where in
// it the cursor stands.
func (m *model) renderSearch(c draw.Canvas) (draw.Styled, int) {
	c = c.Content()
	s, talk := m.search, m.talk(m.open)
	var state sanitize.Text
	switch {
	case s.words.Text == "":
	case len(s.places) == 0 && !talk.Complete && m.options.Older != nil:
		state = "searching older…"
	case len(s.places) == 0:
		state = "not found"
	default:
		state = draw.Sprintf("%d/%d", s.at+1, len(s.places))
		if !talk.Complete && m.options.Older != nil {
			state += " searching older…"
		}
	}
	sign := c.Theme.Accent.Draw("/ ")
	typed := sanitize.Line(s.line.Text)
	if typed == "" {
		return c.Between(sign+c.Theme.Faint.Draw(c.Cut("search the session", c.Width-2)), ""), 2
	}
	room := max(1, c.Width-3-draw.Cells(state)-1)
	typed = draw.KeepEnd(typed, room) // which is what is being typed
	return c.Between(sign+c.Theme.Text.Draw(typed), c.Theme.Dim.Draw(state)), 2 + draw.Cells(typed)
}

// match is one place where the words of a search stand: the nth in a block.
type match struct {
	block *transcript.Block
	nth   int
}

// nextPlace goes to the next match below or, with a negative by, above; past the last
// one to the first.
func (m *model) nextPlace(by int) tea.Cmd {
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
	found := s.words.Find(lines)
	if n := s.words.In(p.block.Sought); found.Count() < n && s.turned == nil {
		s.turned, s.was = p.block, p.block.Folding
		kept := p.block.Sought
		p.block.FoldAs(transcript.Unfolded)
		p.block.Sought = kept
		gap, lines = m.blockLines(talk, i, c)
		found = s.words.Find(lines)
	}
	line := found.LineOf(p.nth)
	for _, r := range m.rows() {
		if r.Block == i && r.Line == line {
			return
		}
	}
	m.jump(i, gap+line, height/3)
}
