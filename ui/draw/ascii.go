package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// ASCII is a drawn line for terminals without UTF-8: signs of ours get a likeness, other
// characters a question mark a cell.
func ASCII(line Styled) Styled {
	var b strings.Builder
	var state byte
	for s := string(line); s != ""; {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		switch {
		case len(seq) == 1 || width == 0:
			b.WriteString(seq)
		case asciiFor(seq) != "":
			b.WriteString(asciiFor(seq))
		default:
			b.WriteString(strings.Repeat("?", width))
		}
	}
	return Styled(b.String())
}

func asciiFor(sign string) string {
	switch sign {
	case "·", "•":
		return "-"
	case "…":
		return "."
	case "←":
		return "<"
	case "→":
		return ">"
	case "↑":
		return "^"
	case "↓":
		return "v"
	case "’", "‘":
		return "'"
	case "“", "”":
		return `"`
	case "–", "—", "─", "−":
		return "-"
	case "×":
		return "x"
	case "│", "┃":
		return "|"
	case "━":
		return "="
	case "╭", "╮", "╰", "╯":
		return "+"
	}
	return ""
}
