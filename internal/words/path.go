package words

import (
	"strconv"
	"strings"
	"unicode"
)

// Valid replaces bytes that are not UTF-8. It does not make text safe for a terminal: that is
// the sanitiser's work.
func Valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Path writes a path for a list with one path a line: a name that would break the line is
// quoted.
func Path(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return Valid(name)
}
