package mask

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// assigns reports whether a name that may be a secret's is given a value in s, as in
// token = "x" and not in 40,000 tokens. Most texts that speak of keys give none a value,
// and a search by pattern costs a hundred times as much.
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

// named reports whether what stands before a colon or an equals sign ends with the name
// of a secret, as the shapes spell it: in any case, in quotes, escaped or not.
func named(before string) bool {
	const longest = len("authorization")
	before = strings.TrimRight(before, " \t\r\n\f")
	if n := len(before); n > 0 && (before[n-1] == '"' || before[n-1] == '\'') {
		before = before[:n-1]
	}
	before = strings.TrimRight(before, `\`)
	end := strings.ToLower(before[max(0, len(before)-longest):])
	return slices.ContainsFunc(assignedNames, func(name string) bool { return strings.HasSuffix(end, name) }) ||
		strings.ContainsFunc(end, func(r rune) bool { return r >= utf8.RuneSelf }) // ſ and K are letters of names to a pattern
}

// assignedNames are how the names end in the shapes that are given a value.
var assignedNames = []string{
	"key", "token", "secret", "password", "passwd", "passphrase", "credential", "credentials", "authorization", "cookie",
}
