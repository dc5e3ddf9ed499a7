package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scraps are what the signs of Markdown are made of; joined at random they nest in
// ways that nobody writes.
var scraps = []string{
	"\n", "\n\n", " ", "  ", "    ", "words", "a few more words", "漢字", "👍🏽", "e\u0301", "-", "- ", "* ", "1. ", "12) ", "> ", ">", "#", "## ", "```", "```go\n", "~~~\n",
	"|", "| a | b |\n|---|:-:|\n", "| x |\n", "`", "``", "*", "**", "_", "~~", "[", "]", "](", ")", "![", "[x] ", "[ ] ", "<", ">", "<b>", "&amp;", "\\", "\\|", "https://go.dev/a_b", "www.a.bc", "i@j.kl", "---\n", "===\n", ": ", ":", "\"", "  \n", "\\\n", "[a]: b\n", "longerthanalineofthescreenmayeverbe",
}

func TestHoweverItNestsItFitsAndIsWhole(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 40).Draw(r, "text"), "")
		requireWhole(r, text, rapid.IntRange(1, 60).Draw(r, "width"))
	})
}
