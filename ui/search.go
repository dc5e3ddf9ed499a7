package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// search is what is looked for in the session that is shown. It goes through the
// text of blocks, not through what is drawn of them: folded ones too, and without
// drawing what is not seen.
type search struct {
	line   composer // what is typed
	words  words
	from   *block // where it began: the last one in sight
	places []match
	at     int // of places: the one that is shown, -1 for none

	turned *block // was opened to show the place in it
	was    folding
}

// match is one of them: the nth in a block.
type match struct {
	block *block
	nth   int
}

// searchedAtOnce is how many older records are read at once for a search: it wants
// all of them, soon.
const searchedAtOnce = 4000

func searchKeys() []binding {
	edit := func(change func(*composer)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			change(&m.search.line)
			return m.seek()
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
		{keys: []string{"n"}, at: atBlock, do: again(-1)},
		{keys: []string{"N"}, at: atBlock, do: again(1)},
		{keys: []string{"enter", "up"}, at: atSearch, do: step(-1), show: "enter, ↑", help: "the match above"},
		{keys: []string{"shift+enter", "down"}, at: atSearch, do: step(1), show: "shift+enter, ↓", help: "the match below"},
		{keys: []string{"esc", "ctrl+c"}, at: atSearch, do: (*model).leaveSearch, help: "leave it, and stay where it led"},
		{keys: []string{"backspace", "ctrl+h"}, at: atSearch, do: edit(func(c *composer) { c.delete(c.before(c.at), c.at, false) })},
		{keys: []string{"ctrl+w"}, at: atSearch, do: edit(func(c *composer) { c.delete(c.wordLeft(c.at), c.at, false) })},
		{keys: []string{"ctrl+u"}, at: atSearch, do: edit((*composer).clear)},
	}
}

func (m *model) openSearch() tea.Cmd {
	m.disarm()
	m.card = ""
	m.search = &search{line: composer{goal: -1}, at: -1}
	if rows := m.rows(); len(rows) > 0 {
		m.search.from = m.talk(m.open).blocks[rows[len(rows)-1].block]
	}
	m.changed()
	return nil
}

// endSearch drops what a search has gathered.
func (m *model) endSearch() {
	if m.search == nil {
		return
	}
	m.search = nil
	for _, b := range m.talk(m.open).blocks {
		b.sought = sought{}
	}
}

// leaveSearch goes back to where the search was begun, the view stays. From a block
// it is the block of the match that has the focus then, and n and N go on.
func (m *model) leaveSearch() tea.Cmd {
	m.disarm()
	s := m.search
	if m.reader != nil {
		m.reader.words = s.words
		if s.at >= 0 {
			m.reader.block = s.places[s.at].block
		}
	}
	m.endSearch()
	m.changed()
	return nil
}

// typeSearch adds to what is looked for.
func (m *model) typeSearch(text string) tea.Cmd {
	m.search.line.insert(string(sanitize.Line(text)))
	return m.seek()
}

// seek looks for what is typed now: the newest match above where the search began.
func (m *model) seek() tea.Cmd {
	m.disarm()
	m.changed()
	s := m.search
	s.words, s.at = newWords(s.line.text), -1
	m.gather()
	talk := m.talk(m.open)
	if s.from != nil {
		s.from = s.from.today()
	}
	from := slices.Index(talk.blocks, s.from)
	place := map[*block]int{}
	for i, b := range talk.blocks {
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
		shown.block = shown.block.today()
	}
	s.places, s.at = nil, -1
	for i, b := range talk.blocks {
		if b.sought.exact == "" {
			text := flat(b.readable(m.runsOn(talk, i)), true)
			b.sought = sought{text, lower(text)}
		}
		for nth := range s.words.in(b.sought) {
			s.places = append(s.places, match{b, nth})
		}
	}
	s.at = slices.Index(s.places, shown)
	if s.at < 0 {
		s.at = len(s.places) - 1
	}
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
	if m.reader.words.text == "" {
		m.say(quiet, "nothing was searched for: / does")
		return nil
	}
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	typed := m.reader.words
	m.search = &search{words: typed, at: -1, from: talk.blocks[i]}
	m.gather()
	s := m.search
	s.at = m.beside(talk, i, by)
	if s.at < 0 {
		m.endSearch()
		m.say(quiet, say("no other block has %q", sanitize.Line(typed.text)))
		return nil
	}
	m.showPlace()
	m.leaveSearch()
	return nil
}

// beside is the first match in another block below or above block i, around the
// ends; -1 where no other block has one.
func (m *model) beside(talk *conversation, i, by int) int {
	places := m.search.places
	where := func(n int) int { return slices.Index(talk.blocks, places[n].block) }
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
		s.turned = s.turned.today()
	}
	if s.at < 0 {
		return
	}
	p := s.places[s.at]
	if s.turned != nil && s.turned != p.block {
		s.turned.foldAs(s.was)
		s.turned = nil
	}
	i := slices.Index(talk.blocks, p.block)
	c, height := m.stage()
	gap, lines := m.blockLines(talk, i, c)
	all := s.words.stretches(lines)
	if n := s.words.in(p.block.sought); matches(all) < n && s.turned == nil {
		s.turned, s.was = p.block, p.block.folding
		kept := p.block.sought
		p.block.foldAs(unfolded)
		p.block.sought = kept
		gap, lines = m.blockLines(talk, i, c)
		all = s.words.stretches(lines)
	}
	line := 0
	if len(all) > 0 {
		line = all[begins(all, p.nth)].line
	}
	for _, r := range m.rows() {
		if r.block == i && r.line == line {
			return
		}
	}
	m.view().jump(m, talk, i, gap+line, height/3)
}

func matches(all []stretch) int {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].match + 1
}

// begins is where the nth match begins in some stretches; the last one's where fewer
// are drawn than there are.
func begins(all []stretch, nth int) int {
	nth = min(nth, matches(all)-1)
	return slices.IndexFunc(all, func(s stretch) bool { return s.match == nth })
}

// searchOlder reads on: a search is through all of the session.
func (m *model) searchOlder() tea.Cmd {
	if m.search == nil || m.search.words.text == "" {
		return nil
	}
	return m.readOlder(searchedAtOnce)
}

// searchOn takes older blocks into the search.
func (m *model) searchOn() tea.Cmd {
	if m.search == nil || m.search.words.text == "" {
		return nil
	}
	none := len(m.search.places) == 0
	m.gather()
	if none {
		m.showPlace()
	}
	return m.searchOlder()
}

// lightened draws the matches of a block: all of them underlined, the one that is
// shown in reverse.
func (m *model) lightened(b *block, c canvas, lines []styled) []styled {
	var w words
	nth := -1
	switch {
	case m.search != nil:
		w = m.search.words
		if at := m.search.at; at >= 0 && m.search.places[at].block == b {
			nth = m.search.places[at].nth
		}
	case m.reader != nil:
		w = m.reader.words
	}
	all := w.stretches(lines)
	if len(all) == 0 {
		return lines
	}
	nth = min(nth, matches(all)-1)
	lit := slices.Clone(lines)
	for _, s := range slices.Backward(all) {
		on, off := "\x1b[4m", "\x1b[24m"
		if s.match == nth {
			on, off = "\x1b[7m", "\x1b[27m"
		}
		lit[s.line] = underlay(lit[s.line], s.from, s.to, on, off)
	}
	return lit
}

// renderSearch draws the line of the search in place of the composer, and where in
// it the cursor stands.
func (m *model) renderSearch(c canvas) (styled, int) {
	s, talk := m.search, m.talk(m.open)
	var state sanitize.Text
	switch {
	case s.words.text == "":
	case len(s.places) == 0 && !talk.complete && m.options.Older != nil:
		state = "searching older…"
	case len(s.places) == 0:
		state = "not found"
	default:
		state = say("%d/%d", s.at+1, len(s.places))
		if !talk.complete && m.options.Older != nil {
			state += " searching older…"
		}
	}
	sign := c.theme.accent.draw("/ ")
	typed := sanitize.Line(s.line.text)
	if typed == "" {
		return c.between(sign+c.theme.faint.draw(c.cut("search the session", c.width-2)), ""), 2
	}
	room := max(1, c.width-3-cells(state)-1)
	for cells(typed) > room { // its end is what is being typed
		typed = sanitize.Text([]rune(string(typed))[1:])
	}
	return c.between(sign+c.theme.text.draw(typed), c.theme.dim.draw(state)), 2 + cells(typed)
}
