package words

import (
	"cmp"
	"slices"
	"strings"
)

// AlikeEnough is the likeness from which a text is worth suggesting.
const AlikeEnough = 0.4

// Likeness measures how alike texts are to one: the share of pairs of
// neighbouring letters that both have (Dice), from 0 to 1, without regard to case.
type Likeness struct {
	pairs map[[2]rune]int
	total int
}

// LikenessTo makes ready to measure texts against this one.
func LikenessTo(text string) Likeness {
	l := Likeness{pairs: map[[2]rune]int{}}
	for pair := range letterPairs(text) {
		l.pairs[pair]++
		l.total++
	}
	return l
}

// Of is how alike a text is.
func (l Likeness) Of(text string) float64 {
	used, common, total := map[[2]rune]int{}, 0, 0
	for pair := range letterPairs(text) {
		total++
		if used[pair] < l.pairs[pair] {
			used[pair]++
			common++
		}
	}
	if l.total+total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(l.total+total)
}

// letterPairs yields the pairs of neighbouring letters, the edges of the text
// counted as letters so that texts of one letter have pairs too.
func letterPairs(text string) func(yield func([2]rune) bool) {
	return func(yield func([2]rune) bool) {
		last := '^'
		for _, r := range strings.ToLower(text) {
			if !yield([2]rune{last, r}) {
				return
			}
			last = r
		}
		yield([2]rune{last, '$'})
	}
}

// MostAlike picks up to n of the names that are most like the wanted one, the best
// first; none if none comes close. Unlike Nearest it is for long names that somebody
// remembered in part, not for slips of the fingers.
func MostAlike(want string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	l, best := LikenessTo(want), []scored{}
	for _, name := range names {
		if score := l.Of(name); score >= AlikeEnough {
			best = append(best, scored{name, score})
		}
	}
	slices.SortFunc(best, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
	})
	picked := []string{}
	for _, b := range best[:min(n, len(best))] {
		picked = append(picked, b.name)
	}
	return picked
}
