package skills

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"pawl/internal/words"
)

// listBudget bounds what a prompt says of all skills, in characters: some 3,000 tokens in each
// request. shortestLine is the least that a skill is worth in it.
const (
	listBudget   = 12_000
	shortestLine = 60
	lineEnds     = 3 // the characters around a line
)

// List is what a prompt says of skills, a line each; empty without any. Where it would be too long
// the longest descriptions are cut, and where even that does not do, the last skills are left out.
// Both are said.
func List(all []Skill) string {
	if len(all) == 0 {
		return ""
	}
	limit, shown := fit(all)
	var b strings.Builder
	cut := false
	for _, s := range all[:shown] {
		line := lineOf(s)
		short := words.CutLine(line, limit)
		cut = cut || short != line
		b.WriteString("- " + short + "\n")
	}
	if cut {
		fmt.Fprintf(&b, "(Longer descriptions are cut here; a skill itself says the whole.)\n")
	}
	if left := len(all) - shown; left > 0 {
		fmt.Fprintf(&b, "(%s not described here, to keep this short: the tool skill takes their names too.)\n", words.CountOf(left, "skill is", "skills are"))
	}
	return b.String()
}

func lineOf(s Skill) string { return s.Name + ": " + s.Description }

// fit is the longest line with which all fit into the budget, and how many do with the shortest.
func fit(all []Skill) (limit, shown int) {
	shown = min(len(all), listBudget/(shortestLine+lineEnds))
	size := func(limit int) (sum int) {
		for _, s := range all[:shown] {
			sum += min(utf8.RuneCountInString(lineOf(s)), limit) + lineEnds
		}
		return sum
	}
	const longest = 1100 // a name and a description
	limit = shortestLine + sort.Search(longest-shortestLine, func(n int) bool { return size(shortestLine+n+1) > listBudget })
	return limit, shown
}
