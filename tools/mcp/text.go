package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pawl/agent/mask"
	"pawl/internal/words"
)

// line is a text on one line, at most so many characters of it. A server that tells
// what it was given may tell its key.
func line(text string, most int) string {
	text = text[:min(len(text), 2*utf8.UTFMax*most)]
	return words.CutLine(mask.Mask{}.Text(text), most)
}

// clipped keeps the start and the end of a text that is too long, with a line
// between them that says what is missing.
func clipped(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	runes := utf8.RuneCountInString(text)
	if runes <= most {
		return text
	}
	half := most / 2
	return fmt.Sprintf("%s\n[… %d of %d characters are left out here …]\n%s", words.First(text, half), runes-2*half, runes, words.Last(text, half))
}
