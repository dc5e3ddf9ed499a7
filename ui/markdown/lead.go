package markdown

import (
	"strings"

	"pawl/agent/sanitize"
)

// lead is what stands before the lines of a block: first before the first of them,
// then before each other.
type lead struct {
	first, then Span
	cells       int
	used        bool // the first is written
}

// roomy is how many cells, or half of the width where that is less, are left for
// words however deeply they are nested.
const roomy = 12

// push puts a lead before the lines that follow, up to pop. It is false where there
// is no room for one.
func (w *writer) push(first, then Span) bool {
	l := lead{first: first, then: then, cells: cells(first.Text)}
	if w.width-w.took-l.cells < min(roomy, (w.width+1)/2) {
		return false
	}
	w.leads = append(w.leads, l)
	w.took += l.cells
	return true
}

// pop takes the last lead away again; one that nothing followed gets a line.
func (w *writer) pop() {
	if last := w.leads[len(w.leads)-1]; !last.used && strings.TrimSpace(string(last.first.Text)) != "" {
		w.begin()
		w.end()
	}
	w.took -= w.leads[len(w.leads)-1].cells
	w.leads = w.leads[:len(w.leads)-1]
}

// begin writes what stands before a line.
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

// put adds to a line.
func (w *writer) put(s Span) {
	if s.Text != "" {
		w.spans = append(w.spans, s)
	}
}

// end ends a line, and takes the spaces off its end.
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

// gap is the line between two blocks.
func (w *writer) gap() {
	w.begin()
	w.end()
}

// blanks is where spaces come from.
const blanks sanitize.Text = "                                                                "

// spaces are n of them.
func spaces(n int) sanitize.Text {
	if n <= len(blanks) {
		return blanks[:max(0, n)]
	}
	return blanks + spaces(n-len(blanks))
}
