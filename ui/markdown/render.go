package markdown

import (
	"github.com/yuin/goldmark/text"

	"pawl/agent/sanitize"
)

// Render lays out Markdown in lines no wider than width cells, unless a single character is, and
// those of prose no wider than ProseWidth.
// There is one blank line between blocks, and none around them.
func Render(t sanitize.Text, width int, signs Signs) []Line {
	source := []byte(t)
	w := &writer{text: t, source: source, signs: signs, width: max(1, width)}
	w.spans, w.ends = make([]Span, 0, len(t)/spanBytes+8), make([]int, 0, len(t)/lineBytes+8)
	w.blocks(markdownParser().Parse(text.NewReader(source)), apart)
	return w.lines()
}

// How many bytes of text a span and a line take at least on average, to allocate enough.
const (
	spanBytes = 12
	lineBytes = 24
)

// writer writes one parsed text.
type writer struct {
	text   sanitize.Text
	source []byte // the same text
	signs  Signs

	width  int    // width of the lines
	leads  []lead // leads of the current block
	took   int    // width of the leads
	quotes int    // open quotes
	below  []run  // a list marker that has no room of its own, before the next words

	spans []Span        // spans of all lines
	ends  []int         // where each line ends in spans
	words []run         // of the current paragraph
	rules sanitize.Text // a long rule, to cut from
}

// lines returns what was written.
func (w *writer) lines() []Line {
	lines := make([]Line, len(w.ends))
	at := 0
	for i, end := range w.ends {
		lines[i] = Line(w.spans[at:end:end])
		at = end
	}
	return lines
}

// room is how many cells of a line are left.
func (w *writer) room() int { return max(1, w.width-w.took) }

// at is the part of the text at a segment.
func (w *writer) at(s text.Segment) sanitize.Text { return w.text[s.Start:s.Stop] }
