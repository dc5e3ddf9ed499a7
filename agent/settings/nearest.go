package settings

import "slices"

// nearest is the candidate with the fewest edits between it and what was typed.
func nearest(typed string, candidates []string) string {
	slices.Sort(candidates)
	best, least := "", -1
	for _, candidate := range candidates {
		if d := edits(typed, candidate); least < 0 || d < least {
			best, least = candidate, d
		}
	}
	return best
}

// Nearest finds the candidate that somebody most likely meant.
func Nearest(typed string, candidates []string) string {
	return nearest(typed, slices.Clone(candidates))
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
