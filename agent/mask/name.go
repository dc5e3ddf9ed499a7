package mask

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// assigns reports whether s assigns a value to a name that may be a secret's, as in token
// = "x" but not in 40,000 tokens. Most texts about keys assign nothing, and searching by
// pattern costs a hundred times as much.
func assigns(s string) bool {
	for i := 0; ; i++ {
		n := strings.IndexAny(s[i:], ":=")
		if n < 0 {
			return false
		}
		if i += n; named(s[:i]) {
			return true
		}
	}
}

// named reports whether the text before a colon or an equals sign ends with the name of a
// secret, as the shapes spell it: in any case, in quotes, escaped or not.
func named(before string) bool {
	const longest = len("authorization")
	before = strings.TrimRight(before, " \t\r\n\f")
	if n := len(before); n > 0 && (before[n-1] == '"' || before[n-1] == '\'') {
		before = before[:n-1]
	}
	before = strings.TrimRight(before, `\`)
	end := strings.ToLower(before[max(0, len(before)-longest):])
	return slices.ContainsFunc(assignedNames, func(name string) bool { return strings.HasSuffix(end, name) }) ||
		strings.ContainsFunc(end, func(r rune) bool { return r >= utf8.RuneSelf }) // in case-insensitive patterns ſ and K match s and k
}

// assignedNames are how names end in the shapes with assigned.
var assignedNames = []string{
	"key", "token", "secret", "password", "passwd", "passphrase", "credential", "credentials", "authorization", "cookie",
}
