package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// valid replaces what is no UTF-8. Nothing else is touched: making text fit for
// a terminal is the sanitiser's work, the last step before one.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// firstRunes gives the first n characters of s, or all of it.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// lastRunes gives the last n characters of s, or all of it.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// oneLine makes a label of any text: one line of at most n characters.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(valid(firstRunes(s, 4*n))), " ")
	if short := firstRunes(s, n); short != s {
		return short + "…"
	}
	return s
}

// byteCount words a size for people and models.
func byteCount(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}

// count words a number of things: "1 line", "2 lines", "2 matches".
func count(n int, thing string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "ch"), strings.HasSuffix(thing, "ss"):
		thing += "es"
	case strings.HasSuffix(thing, "ry"):
		thing = strings.TrimSuffix(thing, "y") + "ies"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
