package diff

import (
	"unicode"
	"unicode/utf8"
)

// Span is a part of a line, in bytes.
type Span struct{ From, To int }

// maxWordWork bounds the comparison of two lines, in words times words: beyond it everything
// between what they have in common at their ends counts as changed.
const maxWordWork = 1 << 18

// Words finds the words in which two lines differ, of which the second has replaced the first. Lines
// that share less than half of their text have none: the whole line is new then.
func Words(before, after string) (gone, came []Span) {
	a, b := tokens(before), tokens(after)
	start, end := sharedEnds(a, b)
	same := 0
	for _, word := range a[:start] {
		same += len(word)
	}
	for _, word := range a[len(a)-end:] {
		same += len(word)
	}
	keptA, keptB := make([]bool, len(a)), make([]bool, len(b))
	for i := range start {
		keptA[i], keptB[i] = true, true
	}
	for i := range end {
		keptA[len(a)-1-i], keptB[len(b)-1-i] = true, true
	}
	same += keepShared(a[start:len(a)-end], b[start:len(b)-end], keptA[start:], keptB[start:])
	if same*2 < len(before) || same*2 < len(after) {
		return nil, nil
	}
	return spans(a, keptA), spans(b, keptB)
}

// tokens cuts a line into words, runs of blanks, and single other characters.
func tokens(line string) []string {
	var all []string
	for line != "" {
		n := 0
		var kind func(rune) bool
		for n < len(line) {
			r, size := utf8.DecodeRuneInString(line[n:])
			if kind == nil {
				kind = kindOf(r)
			} else if !kind(r) {
				break
			}
			n += size
		}
		all, line = append(all, line[:n]), line[n:]
	}
	return all
}

func kindOf(r rune) func(rune) bool {
	switch {
	case wordly(r):
		return wordly
	case unicode.IsSpace(r):
		return unicode.IsSpace
	}
	return func(rune) bool { return false }
}

func wordly(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// sharedEnds counts the words that two lines have in common at their beginnings and their ends.
func sharedEnds(a, b []string) (start, end int) {
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}

// keepShared marks the longest text that two rows of words have in common, in order, and says how
// many bytes that is. Blanks alone are nothing in common.
func keepShared(a, b []string, keptA, keptB []bool) (same int) {
	if len(a)*len(b) == 0 || len(a)*len(b) > maxWordWork {
		return 0
	}
	width := len(b) + 1
	best := make([]int, (len(a)+1)*width) // from i and j on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			at := i*width + j
			best[at] = max(best[at+width], best[at+1])
			if a[i] == b[j] {
				best[at] = max(best[at], best[at+width+1]+weight(a[i]))
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at := i*width + j
		switch {
		case a[i] == b[j] && best[at] == best[at+width+1]+weight(a[i]):
			keptA[i], keptB[j] = true, true
			same += len(a[i])
			i, j = i+1, j+1
		case best[at] == best[at+width]:
			i++
		default:
			j++
		}
	}
	return same
}

// weight is what a word counts for: whole words before signs, and blanks hardly.
func weight(word string) int {
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case wordly(r):
		return 4 * len(word)
	case unicode.IsSpace(r):
		return 1
	}
	return 2
}

// spans are the words that were not kept. One blank between two of them changes with them.
func spans(words []string, kept []bool) (all []Span) {
	at := 0
	for i, word := range words {
		blank := kept[i] && unicode.IsSpace(rune(word[0])) && i > 0 && !kept[i-1] && i+1 < len(words) && !kept[i+1]
		if !kept[i] || blank {
			if n := len(all); n > 0 && all[n-1].To == at {
				all[n-1].To += len(word)
			} else {
				all = append(all, Span{at, at + len(word)})
			}
		}
		at += len(word)
	}
	return all
}
