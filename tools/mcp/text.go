package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pawl/agent/mask"
)

// bounded is the beginning of a text, at most so many characters of it, as valid
// UTF-8. What people see of it is sanitised where they see it.
func bounded(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text[:min(len(text), utf8.UTFMax*most)])[:most-1]) + "…"
}

// line is a text on one line, at most so many characters of it. A server that tells
// what it was given may tell its key.
func line(text string, most int) string {
	text = text[:min(len(text), 2*utf8.UTFMax*most)]
	return bounded(strings.Join(strings.Fields(mask.Mask{}.Text(text)), " "), most)
}

// clipped keeps the start and the end of a text that is too long, with a line
// between them that says what is missing.
func clipped(text string, most int) string {
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) <= most {
		return string(runes)
	}
	front, back := runes[:most/2], runes[len(runes)-most/2:]
	return fmt.Sprintf("%s\n[… %d of %d characters are left out here …]\n%s", string(front), len(runes)-len(front)-len(back), len(runes), string(back))
}
