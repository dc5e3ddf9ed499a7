package list

import (
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Shortlist is the candidates that match the typed text, best first, one of them marked.
// Completions, the palette and every picker use one.
type Shortlist struct {
	Kept []Found
	At   int // index in Kept of the marked one
}

// Found is a candidate that matches, and where.
type Found struct {
	Index int   // index among all candidates
	Hits  []int // byte offsets of the matches
	score int   // how well it matches
}

// Narrow keeps the candidates that match the words, best first; without words it keeps all, in
// their order. Each word must be found, in any order. The best match is marked.
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

// whole is the score of a word that is in a candidate as typed, at the start of a word or inside
// one: more than letters spread over it get.
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

// Step moves the mark, wrapping around at the ends.
func (s *Shortlist) Step(by int) {
	if n := len(s.Kept); n > 0 {
		s.At = ((s.At+by)%n + n) % n
	}
}

// Chosen is the index of the marked candidate; false if none matches.
func (s *Shortlist) Chosen() (int, bool) {
	if len(s.Kept) == 0 {
		return 0, false
	}
	return s.Kept[s.At].Index, true
}

// Window is the range of Kept that is visible in this many rows, with the mark in it.
func (s *Shortlist) Window(rows int) (first, last int) {
	if rows = max(1, rows); len(s.Kept) <= rows {
		return 0, len(s.Kept)
	}
	first = min(max(0, s.At-rows/2), len(s.Kept)-rows)
	return first, first + rows
}
