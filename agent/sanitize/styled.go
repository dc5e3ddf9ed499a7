package sanitize

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Styled passes the output of a renderer of our own, which colours text that was
// cleaned before: colours and weights stay, every other escape sequence is taken
// out (links too: their text may lie), and the rest is cleaned again, for a
// renderer may have decoded an entity into a character that Clean would refuse.
//
// It is not for text of others: what hides in it as a colour would stay one.
func Styled(s string) Text {
	var b strings.Builder
	b.Grow(len(s))
	parser := ansi.GetParser()
	defer ansi.PutParser(parser)
	var state byte
	for len(s) > 0 {
		seq, width, n, next := ansi.DecodeSequence(s, state, parser)
		state = next
		if n == 0 {
			break
		}
		s = s[n:]
		switch {
		case sgr(seq):
			b.WriteString(seq)
		case width > 0 || seq == "\n":
			b.WriteString(string(Clean(seq)))
		}
	}
	return Text(b.String())
}

// sgr reports whether seq sets colours and weights, and does not conceal.
func sgr(seq string) bool {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok {
		return false
	}
	body, ok = strings.CutSuffix(body, "m")
	if !ok || strings.Trim(body, "0123456789;:") != "" {
		return false
	}
	return body != "8" && !strings.HasPrefix(body, "8;") && !strings.HasSuffix(body, ";8")
}
