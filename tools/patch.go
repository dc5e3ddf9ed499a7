package tools

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"pawl/tools/content"
)

// replacement is one exact edit of a text.
type replacement struct {
	Old string `json:"old"`
	New string `json:"new"`
	All bool   `json:"all"`
}

// patch makes replacements in order, each on what the ones before it made, and
// gives the new text and the lines at which something was replaced. All are made
// or none: the error says which does not fit, and what to do.
//
// Replacements are in plain lines whatever the text has: "\n" in Old stands for
// the line ends of the text, "\n" in New becomes the one that is used around it.
// Nothing outside a replaced piece is touched, a byte order mark neither.
func patch(text string, edits []replacement) (string, []int, error) {
	mark, body := "", text
	if strings.HasPrefix(text, content.ByteOrderMark) {
		mark, body = content.ByteOrderMark, text[len(content.ByteOrderMark):]
	}
	original, lines := body, []int{}
	for i, edit := range edits {
		next, at, err := edit.apply(body)
		if err != nil {
			return "", nil, fmt.Errorf("edits[%d].old %w", i, err)
		}
		body, lines = next, append(lines, at...)
	}
	if body == original {
		return "", nil, fmt.Errorf("the edits change nothing: old and new come to the same text")
	}
	return mark + body, lines, nil
}

func (e replacement) apply(text string) (string, []int, error) {
	old := plainLines(strings.TrimPrefix(e.Old, content.ByteOrderMark))
	fresh := plainLines(strings.TrimPrefix(e.New, content.ByteOrderMark))
	if old == "" {
		return "", nil, fmt.Errorf("is empty: give the text to replace")
	}
	if old == fresh {
		return "", nil, fmt.Errorf("is the same as new: nothing would change")
	}
	plain := newPlainText(text)
	first := strings.Index(plain.text, old)
	if first < 0 {
		return "", nil, fmt.Errorf("is not in the file%s", missHint(plain.text, old))
	}
	if !e.All {
		// Occurrences that overlap are several places too.
		if strings.Contains(plain.text[first+1:], old) {
			return "", nil, fmt.Errorf("is there %d times, at %s: include the lines around the one you mean, or set all to replace every one",
				max(2, strings.Count(plain.text, old)), atLines(places(plain.text, old)))
		}
		return plain.replace([]int{first}, len(old), fresh)
	}
	var starts []int
	for at := first; ; {
		starts = append(starts, at)
		next := strings.Index(plain.text[at+len(old):], old)
		if next < 0 {
			return plain.replace(starts, len(old), fresh)
		}
		at += len(old) + next
	}
}

// plainText is a text with its line ends made "\n", and where that took a "\r"
// away.
type plainText struct {
	text     string
	original string
	cuts     []int // positions in text of each "\n" that was "\r\n"
	crlf     bool  // most line ends were
}

func newPlainText(original string) plainText {
	p := plainText{text: plainLines(original), original: original}
	if len(p.text) == len(original) {
		return p
	}
	for at, removed := 0, 0; ; {
		next := strings.Index(original[at:], "\r\n")
		if next < 0 {
			break
		}
		at += next
		p.cuts = append(p.cuts, at-removed)
		at, removed = at+2, removed+1
	}
	p.crlf = 2*len(p.cuts) > strings.Count(p.text, "\n")
	return p
}

// origin finds a position of the plain text in the original. A position at a
// line end is before the "\r".
func (p plainText) origin(at int) int { return at + sort.SearchInts(p.cuts, at) }

// replace puts text in the place of pieces of one length and leaves the rest of
// the original as it is.
func (p plainText) replace(starts []int, length int, text string) (string, []int, error) {
	var out strings.Builder
	var lines []int
	done, line, counted := 0, 1, 0
	for _, start := range starts {
		from, to := p.origin(start), p.origin(start+length)
		out.WriteString(p.original[done:from])
		out.WriteString(p.ends(text, p.original[from:to]))
		done = to
		line += strings.Count(p.text[counted:start], "\n")
		counted = start
		lines = append(lines, line)
	}
	out.WriteString(p.original[done:])
	return out.String(), lines, nil
}

// ends gives a text the line ends of the piece that it replaces or, where that
// has none, of the file.
func (p plainText) ends(text, piece string) string {
	if strings.Contains(piece, "\r\n") || p.crlf && !strings.Contains(piece, "\n") {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func plainLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// places gives the lines of the first occurrences of a text.
func places(text, piece string) []int {
	const enough = 100
	var lines []int
	for at, line := 0, 1; ; {
		next := strings.Index(text[at:], piece)
		if next < 0 || len(lines) == enough {
			return lines
		}
		line += strings.Count(text[at:at+next], "\n")
		lines = append(lines, line)
		if text[at+next] == '\n' {
			line++
		}
		at += next + 1
	}
}

// atLines words line numbers, the first ten of many.
func atLines(lines []int) string {
	const most = 10
	words := []string{}
	shown := slices.Compact(slices.Clone(lines))
	for _, line := range shown[:min(most, len(shown))] {
		words = append(words, fmt.Sprint(line))
	}
	text := strings.Join(words, ", ")
	if len(shown) > most {
		text += ", …"
	}
	if len(shown) == 1 {
		return "line " + text
	}
	return "lines " + text
}
