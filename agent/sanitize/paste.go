package sanitize

import (
	"strings"
	"unicode"
)

// Clipping is text for a clipboard. Only Paste makes one.
type Clipping string

// Paste prepares text for a clipboard. Tabs, newlines and what scripts and emoji need stay;
// what would act where it is pasted, or be hidden there, is removed: other control characters,
// direction overrides, invisible characters. CR LF becomes a newline. Paste is idempotent.
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
