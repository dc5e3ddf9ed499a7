package sanitize

import (
	"strings"
	"unicode"
)

// Clipping is text for a clipboard. Only Paste makes one.
type Clipping string

// Paste passes text on its way to a clipboard. It is to be pasted as it was
// written, so tabs, newlines and what scripts and emoji need stay; what would act
// where it is pasted, or hide there, goes: other control characters, direction
// overrides, invisible characters. CR LF is a newline. Paste is idempotent.
func Paste(s string) Clipping {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), string(replacement))
	return Clipping(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', joiner(r):
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			return -1
		}
		return r
	}, s))
}
