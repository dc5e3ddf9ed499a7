package markdown

import (
	"github.com/yuin/goldmark/text"

	"pawl/agent/sanitize"
)

// Render gives the lines of some Markdown, none wider than width cells, unless a
// single character is. There is one blank line between blocks, and none around them.
func Render(t sanitize.Text, width int, signs Signs) []Line {
	source := []byte(t)
	w := &writer{text: t, source: source, signs: signs, width: max(1, width)}
	w.spans, w.ends = make([]Span, 0, len(t)/spanBytes+8), make([]int, 0, len(t)/lineBytes+8)
	w.blocks(markdownParser().Parse(text.NewReader(source)), apart)
	return w.lines()
}

// What a span and a line take of a text, seldom less: room is made for so many.
const (
	spanBytes = 12
	lineBytes = 24
)

// writer writes one parsed text.
type writer struct {
	text   sanitize.Text
	source []byte // the same
	signs  Signs

	width  int    // of the lines
	leads  []lead // before them
	took   int    // cells of the leads
	quotes int    // that are open
	below  []run  // before the next words: a mark that has no room of its own

	spans []Span        // of all lines
	ends  []int         // where each ends in them
	words []run         // of the paragraph that is written
	rules sanitize.Text // some signs of a rule
}

// lines are what was written.
func (w *writer) lines() []Line {
	lines := make([]Line, len(w.ends))
	at := 0
	for i, end := range w.ends {
		lines[i] = Line(w.spans[at:end:end])
		at = end
	}
	return lines
}

// room is how many cells are left of a line.
func (w *writer) room() int { return max(1, w.width-w.took) }

// at is what stands at a place of the text.
func (w *writer) at(s text.Segment) sanitize.Text { return w.text[s.Start:s.Stop] }
