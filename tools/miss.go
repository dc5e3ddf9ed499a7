package tools

import (
	"fmt"
	"regexp"
	"strings"

	"pawl/internal/words"
)

// Bounds of the search for what a model may have meant.
const (
	maxCompared = 20_000 // lines of a file
	shownLine   = 200    // characters of a line that is shown
)

// missHint says what comes nearest to a text that is not in a file: where it
// would be but for white space, which line of it differs, or the line most like
// it. It is empty or starts a new clause.
func missHint(text, old string) string {
	if regexp.MustCompile(`(?m)^ *\d+\t`).MatchString(old) {
		return ": leave out the line numbers and tabs that read puts before each line"
	}
	lines, wanted := strings.Split(text, "\n"), strings.Split(strings.Trim(old, "\n"), "\n")
	lines = lines[:min(len(lines), maxCompared)]
	if at, same := longestMatch(lines, wanted); same > 0 {
		return differs(lines, wanted, at, same)
	}
	most := ""
	for _, line := range wanted {
		if line = strings.TrimSpace(line); len(line) > len(most) {
			most = line
		}
	}
	l, best, score := words.LikenessTo(words.First(most, shownLine)), 0, 0.0
	for i, line := range lines {
		if s := l.Of(words.First(strings.TrimSpace(line), shownLine)); s > score {
			best, score = i, s
		}
	}
	if score < words.AlikeEnough {
		return ", nor is anything like it: read it again"
	}
	return fmt.Sprintf("; the nearest is line %d: %s", best+1, quoteLine(lines[best]))
}

// longestMatch finds where most of the wanted lines follow each other, white
// space at their ends aside.
func longestMatch(lines, wanted []string) (at, same int) {
	for i := range lines {
		n := 0
		for n < len(wanted) && i+n < len(lines) && strings.TrimSpace(lines[i+n]) == strings.TrimSpace(wanted[n]) {
			n++
		}
		if n > same && strings.TrimSpace(strings.Join(wanted[:n], "")) != "" {
			at, same = i, n
		}
	}
	return at, same
}

// differs words the first difference between the wanted lines and those at a
// place where the first few are the same.
func differs(lines, wanted []string, at, same int) string {
	for n := range same {
		if lines[at+n] != wanted[n] && (n > 0 || !strings.HasSuffix(lines[at], wanted[0])) {
			return fmt.Sprintf("; it differs in white space from line %d: %s", at+n+1, quoteLine(lines[at+n]))
		}
	}
	switch {
	case same == len(wanted):
		return fmt.Sprintf("; it differs in the blank lines around line %d", at+1)
	case at+same == len(lines):
		return fmt.Sprintf("; it begins at line %d, but the file ends there", at+1)
	}
	return fmt.Sprintf("; it begins at line %d, but line %d is %s and old has %s",
		at+1, at+same+1, quoteLine(lines[at+same]), quoteLine(wanted[same]))
}

func quoteLine(line string) string {
	return "`" + words.Cut(line, shownLine) + "`"
}
