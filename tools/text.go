package tools

import (
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
