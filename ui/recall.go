package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// recalling is the search in earlier prompts: what is looked for, and what fits it,
// the newest first.
type recalling struct {
	words   composer.Composer
	list    list.Shortlist
	prompts []string // the newest first, none twice
	lines   []string // each as one clean line
}

// searched is how much of a prompt is looked through, in bytes: a search through a
// thousand of them is done before the next key.
const searched = 400

func recallKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.list.Step(by); return nil }
	}
	words := func(change func(*composer.Composer)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.look(change); return nil }
	}
	return []binding{
		{keys: []string{"ctrl+r", "down", "ctrl+n"}, at: atRecall, do: step(1), show: "ctrl+r, ↓", help: "older"},
		{keys: []string{"ctrl+s", "up", "ctrl+p"}, at: atRecall, do: step(-1), show: "ctrl+s, ↑", help: "newer"},
		{keys: []string{"enter", "tab", "right"}, at: atRecall, do: (*model).takeRecalled, help: "put it into the line"},
		{keys: []string{"esc", "ctrl+c", "ctrl+g"}, at: atRecall, do: (*model).closeRecall, help: "leave the line unchanged"},
		{keys: []string{"backspace", "ctrl+h"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.Before(c.At), c.At, false) })},
		{keys: []string{"ctrl+w", "alt+backspace"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.WordLeft(c.At, composer.NonSpace), c.At, false) })},
		{keys: []string{"ctrl+u"}, at: atRecall, do: words(func(c *composer.Composer) { c.Set("") })},
	}
}

func (m *model) openRecall() tea.Cmd {
	m.disarm()
	if m.deaf() {
		m.say(draw.Quiet, shellHears)
		return nil
	}
	r := &recalling{words: composer.Composer{Goal: -1}}
	known := map[string]bool{}
	for _, prompt := range slices.Backward(m.line().History) {
		if !known[prompt] {
			known[prompt] = true
			r.prompts = append(r.prompts, prompt)
			r.lines = append(r.lines, string(sanitize.Line(strings.ToValidUTF8(prompt[:min(len(prompt), searched)], ""))))
		}
	}
	if len(r.prompts) == 0 {
		m.say(draw.Quiet, "no earlier prompts yet")
		return nil
	}
	r.look(func(*composer.Composer) {})
	m.recalling = r
	m.changed()
	return nil
}

func (m *model) closeRecall() tea.Cmd {
	m.recalling = nil
	m.changed()
	return nil
}

// takeRecalled puts the marked prompt in the line, to be sent or changed.
func (m *model) takeRecalled() tea.Cmd {
	r := m.recalling
	at, ok := r.list.Chosen()
	if !ok {
		return nil
	}
	line := m.line()
	line.Replace(line.Folded(r.prompts[at]))
	line.Browsed = 0
	m.recalling = nil
	return m.edited()
}

// look changes the words and looks again. Prompts that have each word as it was
// typed come first, the newest of them before all.
func (r *recalling) look(change func(*composer.Composer)) {
	change(&r.words)
	words := strings.Fields(strings.ToLower(r.words.Text))
	r.list.Narrow(r.words.Text, r.lines)
	literal := map[int]bool{}
	for i, f := range r.list.Kept {
		if hits, all := literally(words, r.lines[f.Index]); all {
			r.list.Kept[i].Hits, literal[f.Index] = hits, true
		}
	}
	slices.SortStableFunc(r.list.Kept, func(a, b list.Found) int {
		switch {
		case literal[a.Index] != literal[b.Index]:
			if literal[a.Index] {
				return -1
			}
			return 1
		case literal[a.Index]:
			return a.Index - b.Index
		}
		return 0
	})
}

// literally finds each word in a line as it stands; false where one is missing.
func literally(words []string, line string) (hits []int, all bool) {
	small := strings.ToLower(line)
	if len(small) != len(line) { // letters of another length: offsets would lie
		small = line
	}
	for _, word := range words {
		at := strings.Index(small, word)
		if at < 0 {
			return nil, false
		}
		for i := range word {
			hits = append(hits, at+i)
		}
	}
	return hits, true
}

// renderRecall draws the prompts that fit above the words that are looked for.
func (m *model) renderRecall(c draw.Canvas, s shares) layout {
	r := m.recalling
	var l layout
	if s.rule > 0 {
		l.bottom = append(l.bottom, c.Ruled(draw.Sprintf(" %s of %s earlier prompts ", words.Grouped(int64(len(r.list.Kept))), words.Grouped(int64(len(r.prompts))))))
	}
	first, last := r.list.Window(s.line)
	for i := first; i < last; i++ {
		f, look, sign := r.list.Kept[i], c.Theme.Dim, sanitize.Text("  ")
		if i == r.list.At {
			look, sign = c.Theme.Text, c.Glyphs.Prompt+" "
		}
		words, hits := c.Around(sanitize.Text(r.lines[f.Index]), f.Hits, c.Width-2)
		l.bottom = append(l.bottom, c.Theme.Accent.Draw(sign)+draw.Fit(draw.Highlight(words, hits, look, c.Theme.Selected), c.Width-2))
	}
	if len(r.list.Kept) == 0 {
		l.bottom = append(l.bottom, "  "+c.Theme.Faint.Draw("nothing matches"))
	}
	sign := c.Theme.Accent.Draw("search: ")
	room := max(1, c.Width-draw.Cells(sign)-1)
	words := draw.KeepEnd(sanitize.Line(r.words.Text), room) // which is what is being typed
	l.y, l.x = len(l.bottom), draw.Cells(sign)+draw.Cells(words)
	l.bottom = append(l.bottom, sign+c.Theme.Text.Draw(words))
	return l
}
