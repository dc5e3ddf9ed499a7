package export

import (
	"strings"
	"unicode/utf8"
)

// fence is a code block that shows text as it is. Its fence is longer than any
// run of backticks inside, so nothing in the text can end the block; in it no
// heading, tag, link, picture or mention acts.
func fence(info, text string) string {
	bar := strings.Repeat("`", max(3, longestTicks(text)+1))
	return bar + info + "\n" + strings.TrimSuffix(text, "\n") + "\n" + bar + "\n"
}

// codeSpan is the same within a line. The text has no line end.
func codeSpan(text string) string {
	if text == "" {
		return "–"
	}
	bar := strings.Repeat("`", longestTicks(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " " // these two spaces are not shown
	}
	return bar + text + bar
}

// cellSpan is a codeSpan that cannot end its cell of a table: tables are split
// at bars before code is seen, and not all programs agree on how to escape one.
func cellSpan(text string) string { return codeSpan(strings.ReplaceAll(text, "|", "¦")) }

// longestTicks is the length of the longest run of backticks.
func longestTicks(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// oneLine joins the lines of a text with spaces and cuts it to at most n
// characters.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	cut, _ := shorten(s, n)
	if len(cut) < len(s) {
		return cut + "…"
	}
	return s
}

// shorten cuts a text to at most n characters and tells how many it took away.
func shorten(s string, n int) (cut string, gone int) {
	if len(s) <= n {
		return s, 0
	}
	at := 0
	for i := range s {
		if at == n {
			return s[:i], utf8.RuneCountInString(s[i:])
		}
		at++
	}
	return s, 0
}
