package list

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Shortlist is some candidates in the order in which they fit what was typed, one
// of them marked. Completions, the palette and every picker choose from one.
type Shortlist struct {
	Kept []Found
	At   int // of kept: the marked one
}

// Found is a candidate that fits, and where in its words it does.
type Found struct {
	Index int   // in what was narrowed
	Hits  []int // byte offsets in its words
	score int   // how well all that was typed fits
}

// Narrow keeps the candidates that fit the words, the best first; without words all
// of them, as they stand. Each word has to be found, in any order. The mark goes to
// the best.
func (s *Shortlist) Narrow(words string, of []string) {
	s.Kept, s.At = nil, 0
	for i := range of {
		s.Kept = append(s.Kept, Found{Index: i})
	}
	for _, word := range strings.Fields(words) {
		if len(s.Kept) == 0 {
			return
		}
		left := make([]string, len(s.Kept))
		for i, f := range s.Kept {
			left[i] = of[f.Index]
		}
		var kept []Found
		for _, match := range fuzzy.Find(word, left) {
			f := s.Kept[match.Index]
			f.Hits = slices.Concat(f.Hits, match.MatchedIndexes)
			f.score += match.Score + whole(word, left[match.Index])
			kept = append(kept, f)
		}
		s.Kept = kept
	}
	slices.SortStableFunc(s.Kept, func(a, b Found) int { return b.score - a.score })
}

// whole is what it counts that a word stands in a candidate as it was typed, at the
// start of a word or inside of one: more than any letters that are spread over it.
func whole(word, in string) int {
	const start, inside = 1000, 500
	word, in = strings.ToLower(word), strings.ToLower(in)
	at := strings.Index(in, word)
	switch {
	case at < 0:
		return 0
	case at == 0 || strings.Contains(in, " "+word) || strings.Contains(in, "/"+word):
		return start
	}
	return inside
}

// Step moves the mark, around the ends.
func (s *Shortlist) Step(by int) {
	if n := len(s.Kept); n > 0 {
		s.At = ((s.At+by)%n + n) % n
	}
}

// Chosen is the index of the marked candidate; false where none fits.
func (s *Shortlist) Chosen() (int, bool) {
	if len(s.Kept) == 0 {
		return 0, false
	}
	return s.Kept[s.At].Index, true
}

// Window is the part of kept that a list of this many rows shows: the mark is in
// it.
func (s *Shortlist) Window(rows int) (first, last int) {
	if rows = max(1, rows); len(s.Kept) <= rows {
		return 0, len(s.Kept)
	}
	first = min(max(0, s.At-rows/2), len(s.Kept)-rows)
	return first, first + rows
}
