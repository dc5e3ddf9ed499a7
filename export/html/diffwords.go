package html

import (
	"strings"

	"pawl/agent/diff"
)

// markWords finds for the lines of a diff which of their words differ from the line that they
// replaced, or that replaced them: lines that went and came together are pairs, in their order.
func markWords(lines []string) map[int][]diff.Span {
	marked := map[int][]diff.Span{}
	for i := 0; i < len(lines); {
		went := countOf(lines[i:], "removed")
		came := countOf(lines[i+went:], "added")
		for n := range min(went, came) {
			old, now := i+n, i+went+n
			marked[old], marked[now] = diff.Words(textOf(lines[old]), textOf(lines[now]))
		}
		i += max(1, went+came)
	}
	return marked
}

// countOf is how many lines of a class stand at the beginning.
func countOf(lines []string, class markup) (n int) {
	for n < len(lines) && lines[n] != "" && lineClass(lines[n]) == class {
		n++
	}
	return n
}

// textOf is a line of a diff without its sign.
func textOf(line string) string { return strings.TrimRight(line[1:], "\n") }

// withMarks is a line of a diff whose marked words stand out.
func (w *writer) withMarks(line string, marks []diff.Span) markup {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		from, to := m.From+1, m.To+1 // after the sign
		b.WriteString(string(w.markup("%s<b>%s</b>", line[at:from], line[from:to])))
		at = to
	}
	b.WriteString(string(w.markup("%s", line[at:])))
	return markup(b.String())
}
