package markdown

import (
	"strings"

	"pawl/agent/sanitize"
)

// lead is what comes before the lines of a block: first before the first one, then before the
// others.
type lead struct {
	first, then Span
	cells       int
	used        bool // first was written
}

// roomy is how many cells, or half the width if that is less, are left for text however deeply
// it is nested.
const roomy = 12

// push adds a lead before the lines that follow, until pop. It reports false if there is no room
// for it.
func (w *writer) push(first, then Span) bool {
	l := lead{first: first, then: then, cells: cells(first.Text)}
	if w.width-w.took-l.cells < min(roomy, (w.width+1)/2) {
		return false
	}
	w.leads = append(w.leads, l)
	w.took += l.cells
	return true
}

// pop removes the last lead. A lead without any line gets a line of its own.
func (w *writer) pop() {
	if last := w.leads[len(w.leads)-1]; !last.used && strings.TrimSpace(string(last.first.Text)) != "" {
		w.begin()
		w.end()
	}
	w.took -= w.leads[len(w.leads)-1].cells
	w.leads = w.leads[:len(w.leads)-1]
}

// begin writes the leads of a line.
func (w *writer) begin() {
	for i := range w.leads {
		l := &w.leads[i]
		if l.used {
			w.put(l.then)
			continue
		}
		w.put(l.first)
		l.used = true
	}
}

// put adds a span to the line.
func (w *writer) put(s Span) {
	if s.Text != "" {
		w.spans = append(w.spans, s)
	}
}

// end ends a line and trims its trailing spaces.
func (w *writer) end() {
	began := 0
	if n := len(w.ends); n > 0 {
		began = w.ends[n-1]
	}
	for n := len(w.spans); n > began; n-- {
		s := &w.spans[n-1]
		for k := len(s.Text); k > 0 && s.Text[k-1] == ' '; k-- {
			s.Text = s.Text[:k-1]
		}
		if s.Text != "" {
			break
		}
		w.spans = w.spans[:n-1]
	}
	w.ends = append(w.ends, len(w.spans))
}

// gap writes the blank line between two blocks.
func (w *writer) gap() {
	w.begin()
	w.end()
}

// blanks is the source of spaces.
const blanks sanitize.Text = "                                                                "

// spaces returns n spaces.
func spaces(n int) sanitize.Text {
	if n <= len(blanks) {
		return blanks[:max(0, n)]
	}
	return blanks + spaces(n-len(blanks))
}
