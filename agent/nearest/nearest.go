// Package nearest finds what somebody most likely meant by a word that is none.
package nearest

import "slices"

// To is the candidate with the fewest edits between it and what was typed; empty
// where there is none.
func To(typed string, candidates []string) string {
	best, least := "", -1
	for _, candidate := range slices.Sorted(slices.Values(candidates)) {
		if d := edits(typed, candidate); least < 0 || d < least {
			best, least = candidate, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
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
