package landing

import (
	"strconv"
	"strings"

	"pawl/agent/diff"
)

// Hunk is a part of a file that changed, with the lines around it, as a unified diff shows it.
type Hunk struct {
	Line     int    `json:"line"`     // where it begins in the file as it was, from 1
	Lines    int    `json:"lines"`    // of the file as it was
	NewLine  int    `json:"new_line"` // where it begins in the worktree's
	NewLines int    `json:"new_lines"`
	Text     string `json:"-"` // with its @@ line
}

// longestByHunk bounds files of which single hunks can be chosen, in bytes.
const longestByHunk = 4 << 20

// hunksOf are the hunks between two texts.
func hunksOf(before, after []byte) (hunks []Hunk, added, removed int) {
	if len(before) > longestByHunk || len(after) > longestByHunk {
		return nil, 0, 0
	}
	text, added, removed := diff.Hunks(string(before), string(after))
	for text != "" {
		head, _, _ := strings.Cut(text, "\n")
		h, is := hunkOf(head)
		if !is {
			return nil, added, removed
		}
		end := len(head) + 1
		for end < len(text) && !strings.HasPrefix(text[end:], "@@ ") { // the others begin with a space, - + or \
			line := strings.IndexByte(text[end:], '\n') + 1
			if line == 0 {
				line = len(text) - end
			}
			end += line
		}
		h.Text, text = text[:min(end, len(text))], text[min(end, len(text)):]
		hunks = append(hunks, h)
	}
	return hunks, added, removed
}

// spliced is a text with some of its hunks changed. The hunks are all between the texts, in order;
// the lines around a change are the same in both.
func spliced(before, after []byte, hunks []Hunk, chosen []int) []byte {
	from, to := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	var text strings.Builder
	at := 0
	for _, n := range chosen {
		h := hunks[n]
		begin, newBegin := start(h.Line, h.Lines), start(h.NewLine, h.NewLines)
		text.WriteString(strings.Join(from[at:begin], ""))
		text.WriteString(strings.Join(to[newBegin:newBegin+h.NewLines], ""))
		at = begin + h.Lines
	}
	text.WriteString(strings.Join(from[at:], ""))
	return []byte(text.String())
}

// start is the index of a hunk's first line. One without lines stands behind the line that it names.
func start(line, lines int) int {
	if lines == 0 {
		return line
	}
	return line - 1
}

// hunkOf reads the first line of a hunk.
func hunkOf(head string) (h Hunk, is bool) {
	from, to, is := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(head, "@@ -"), " @@"), " +")
	if !is {
		return h, false
	}
	var fine, also bool
	h.Line, h.Lines, fine = span(from)
	h.NewLine, h.NewLines, also = span(to)
	return h, fine && also
}

func span(text string) (line, lines int, fine bool) {
	first, count, counted := strings.Cut(text, ",")
	line, err := strconv.Atoi(first)
	if lines = 1; counted && err == nil {
		lines, err = strconv.Atoi(count)
	}
	return line, lines, err == nil
}
