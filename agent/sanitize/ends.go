package sanitize

import "strings"

// An error is read by people, and often quotes what others wrote, of any length. What
// happened stands at its beginning, and what to do at its end.
const (
	beginning = 700 // bytes
	ending    = 300
	between   = " … "
)

// Ends is a text of an error for its line: whole, or where it is longer than about 1,000
// bytes its beginning and its end.
func Ends(text string) string {
	if len(text) <= beginning+len(between)+ending {
		return text
	}
	return strings.ToValidUTF8(text[:beginning], "") + between + strings.ToValidUTF8(text[len(text)-ending:], "")
}
