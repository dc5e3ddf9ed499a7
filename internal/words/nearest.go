package words

import (
	"fmt"
	"slices"
	"strings"
)

// farthest is how many edits a typing mistake takes at most. Anything farther away is another
// word, and no guess is better than a wrong one.
const farthest = 2

// Nearest is the candidate with the fewest edits from what was typed, ignoring case; empty if
// none is within two edits, or one for a word of two or three letters. A word that only one
// candidate begins with is that one.
func Nearest(typed string, candidates []string) string {
	best, least := "", min(farthest, len(typed)/2)+1
	word := strings.ToLower(typed)
	var begun []string
	for _, candidate := range slices.Sorted(slices.Values(candidates)) {
		other := strings.ToLower(candidate)
		apart := max(len(word), len(other)) - min(len(word), len(other)) // edits it takes at least: a typed word may be a megabyte
		if apart < least {
			if d := Edits(word, other); d < least {
				best, least = candidate, d
			}
		}
		if len(word) > farthest && strings.HasPrefix(other, word) {
			begun = append(begun, candidate)
		}
	}
	if best == "" && len(begun) == 1 {
		return begun[0]
	}
	return best
}

// DidYouMean is the end of a message about an unknown word: the likely candidate, or empty if
// none is near enough.
func DidYouMean(typed string, candidates []string) string {
	meant := Nearest(typed, candidates)
	if meant == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", meant)
}

// Edits is the Levenshtein distance between two texts, in bytes.
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
