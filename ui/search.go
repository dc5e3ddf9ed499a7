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
	m.disarm()
	m.card = ""
	m.search = &search{line: composer.Composer{Goal: -1}, at: -1}
	if rows := m.rows(); len(rows) > 0 {
		m.search.from = m.talk(m.open).Blocks[rows[len(rows)-1].block]
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
	for _, b := range m.talk(m.open).Blocks {
		b.Sought = transcript.Sought{}
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
	m.search.line.Insert(string(sanitize.Line(text)))
	return m.seekMatch()
}

// seekMatch looks for what is typed now: the newest match above where the search began.
func (m *model) seekMatch() tea.Cmd {
	m.disarm()
	m.changed()
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
	return m.readOlder(searchedAtOnce)
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

// lightened draws the matches of a block: all of them underlined, the one that is
// shown in reverse.
func (m *model) lightened(b *transcript.Block, c draw.Canvas, lines []draw.Styled) []draw.Styled {
	var w transcript.Query
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
	all := w.Stretches(lines)
	if len(all) == 0 {
		return lines
	}
	nth = min(nth, matches(all)-1)
	lit := slices.Clone(lines)
	for _, s := range slices.Backward(all) {
		on, off := draw.Sequence("\x1b[4m"), draw.Sequence("\x1b[24m")
		if s.Match == nth {
			on, off = "\x1b[7m", "\x1b[27m"
		}
		lit[s.Line] = draw.Underlay(lit[s.Line], s.From, s.To, on, off)
	}
	return lit
}

// renderSearch draws the line of the search in place of the composer, and where in
// it the cursor stands.
func (m *model) renderSearch(c draw.Canvas) (draw.Styled, int) {
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
