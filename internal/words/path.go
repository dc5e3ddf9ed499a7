package words

import (
	"strconv"
	"strings"
	"unicode"
)

// Valid replaces what is not UTF-8. It does not make text fit for a terminal: that is
// the sanitiser's work.
func Valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// Path writes a path for a list of one path a line: a name that would break the line is
// quoted.
func Path(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return Valid(name)
}
