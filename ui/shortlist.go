package ui

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// shortlist is some candidates in the order in which they fit what was typed, one
// of them marked. Completions, the palette and every picker choose from one.
type shortlist struct {
	kept []found
	at   int // of kept: the marked one
}

// found is a candidate that fits, and where in its words it does.
type found struct {
	index int   // in what was narrowed
	hits  []int // byte offsets in its words
	score int   // how well all that was typed fits
}

// narrow keeps the candidates that fit the words, the best first; without words all
// of them, as they stand. Each word has to be found, in any order. The mark goes to
// the best.
func (s *shortlist) narrow(words string, of []string) {
	s.kept, s.at = nil, 0
	for i := range of {
		s.kept = append(s.kept, found{index: i})
	}
	for _, word := range strings.Fields(words) {
		if len(s.kept) == 0 {
			return
		}
		left := make([]string, len(s.kept))
		for i, f := range s.kept {
			left[i] = of[f.index]
		}
		var kept []found
		for _, match := range fuzzy.Find(word, left) {
			f := s.kept[match.Index]
			f.hits = slices.Concat(f.hits, match.MatchedIndexes)
			f.score += match.Score + whole(word, left[match.Index])
			kept = append(kept, f)
		}
		s.kept = kept
	}
	slices.SortStableFunc(s.kept, func(a, b found) int { return b.score - a.score })
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

// step moves the mark, around the ends.
func (s *shortlist) step(by int) {
	if n := len(s.kept); n > 0 {
		s.at = ((s.at+by)%n + n) % n
	}
}

// chosen is the index of the marked candidate; false where none fits.
func (s *shortlist) chosen() (int, bool) {
	if len(s.kept) == 0 {
		return 0, false
	}
	return s.kept[s.at].index, true
}

// window is the part of kept that a list of this many rows shows: the mark is in
// it.
func (s *shortlist) window(rows int) (first, last int) {
	if rows = max(1, rows); len(s.kept) <= rows {
		return 0, len(s.kept)
	}
	first = min(max(0, s.at-rows/2), len(s.kept)-rows)
	return first, first + rows
}
