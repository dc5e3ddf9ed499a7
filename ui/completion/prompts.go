package completion

import (
	"slices"
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// Prompts is the search in earlier prompts: what is looked for, and what fits it,
// the newest first.
type Prompts struct {
	Words   composer.Composer // that are looked for
	list    list.Shortlist
	prompts []string // the newest first, none twice
	lines   []string // each as one clean line
}

// searched is how much of a prompt is looked through, in bytes: a search through a
// thousand of them is done before the next key.
const searched = 400

// NewPrompts begins a search through a history, oldest first; nil where that is empty.
func NewPrompts(history []string) *Prompts {
	p := &Prompts{Words: composer.Composer{Goal: -1}}
	known := map[string]bool{}
	for _, prompt := range slices.Backward(history) {
		if !known[prompt] {
			known[prompt] = true
			p.prompts = append(p.prompts, prompt)
			p.lines = append(p.lines, string(sanitize.Line(strings.ToValidUTF8(prompt[:min(len(prompt), searched)], ""))))
		}
	}
	if len(p.prompts) == 0 {
		return nil
	}
	p.Look(func(*composer.Composer) {})
	return p
}

// Step moves the mark, to older ones with 1.
func (p *Prompts) Step(by int) { p.list.Step(by) }

// Chosen is the marked prompt, whole; false where none fits.
func (p *Prompts) Chosen() (string, bool) {
	at, ok := p.list.Chosen()
	if !ok {
		return "", false
	}
	return p.prompts[at], true
}

// Look changes the words and looks again. Prompts that have each word as it was
// typed come first, the newest of them before all.
func (p *Prompts) Look(change func(*composer.Composer)) {
	change(&p.Words)
	words := strings.Fields(strings.ToLower(p.Words.Text))
	p.list.Narrow(p.Words.Text, p.lines)
	literal := map[int]bool{}
	for i, f := range p.list.Kept {
		if hits, all := literally(words, p.lines[f.Index]); all {
			p.list.Kept[i].Hits, literal[f.Index] = hits, true
		}
	}
	slices.SortStableFunc(p.list.Kept, func(a, b list.Found) int {
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

// Render draws the prompts that fit, in so many rows, above the words that are looked
// for, and says where the cursor stands. Where there is room for it a rule stands above
// all.
func (p *Prompts) Render(c draw.Canvas, rows int, ruled bool) (lines []draw.Styled, y, x int) {
	frame := c.Content()
	c = frame.Inside()
	first, last := p.list.Window(rows)
	for i := first; i < last; i++ {
		f, look, sign := p.list.Kept[i], c.Theme.Dim, sanitize.Text("  ")
		if i == p.list.At {
			look, sign = c.Theme.Text, c.Glyphs.Prompt+" "
		}
		words, hits := c.Around(sanitize.Text(p.lines[f.Index]), f.Hits, c.Width-2)
		lines = append(lines, c.Theme.Accent.Draw(sign)+draw.Fit(draw.Highlight(words, hits, look, c.Theme.Selected), c.Width-2))
	}
	if len(p.list.Kept) == 0 {
		lines = append(lines, "  "+c.Theme.Faint.Draw("nothing matches"))
	}
	sign := c.Theme.Accent.Draw("search: ")
	room := max(1, c.Width-draw.Cells(sign)-1)
	typed := draw.KeepEnd(sanitize.Line(p.Words.Text), room) // which is what is being typed
	y, x = len(lines), draw.Cells(sign)+draw.Cells(typed)
	lines = append(lines, sign+c.Theme.Text.Draw(typed))
	if !ruled {
		return lines, y, x
	}
	above, _ := frame.FrameRows()
	counted := draw.Sprintf(" %s of %s earlier prompts ", words.Grouped(int64(len(p.list.Kept))), words.Grouped(int64(len(p.prompts))))
	return frame.Framed(counted, lines), y + above, x + frame.FrameCells()
}
