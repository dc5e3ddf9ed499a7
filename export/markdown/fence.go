package markdown

import (
	"strings"
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
