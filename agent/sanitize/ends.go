package sanitize

import "strings"

// Errors are read by people, and can quote text of any length. What happened is at the
// beginning, what to do at the end.
const (
	beginning = 700 // bytes
	ending    = 300
	between   = " … "
)

// Ends shortens the text of an error for one line: texts of more than about 1,000 bytes
// are cut to their beginning and end.
func Ends(text string) string {
	if len(text) <= beginning+len(between)+ending {
		return text
	}
	return strings.ToValidUTF8(text[:beginning], "") + between + strings.ToValidUTF8(text[len(text)-ending:], "")
}
