package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pawl/agent/mask"
	"pawl/internal/words"
)

// line puts a text on one line of at most most characters and masks keys: a server may repeat
// what it was given.
func line(text string, most int) string {
	text = text[:min(len(text), 2*utf8.UTFMax*most)]
	return words.CutLine(mask.Mask{}.Text(text), most)
}

// clipped shortens a text to its start and end, with a line between them that says how much is
// missing.
func clipped(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	runes := utf8.RuneCountInString(text)
	if runes <= most {
		return text
	}
	half := most / 2
	return fmt.Sprintf("%s\n[… %d of %d characters are left out here …]\n%s", words.First(text, half), runes-2*half, runes, words.Last(text, half))
}
