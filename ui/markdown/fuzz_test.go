package markdown

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
)

var screenSigns = Signs{Bullet: "•", Bar: "│", Rule: "─", Cross: "┼", Turned: "↪", Ticked: "☑", Unticked: "☐"}

// plainText is what lines show, without looks.
func plainText(lines []Line) string {
	var b strings.Builder
	for _, line := range lines {
		for _, s := range line {
			b.WriteString(string(s.Text))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// wordsOf finds words; a box of a task is none, and the language of a fence neither.
var wordsOf = regexp.MustCompile(`[A-Za-z]{2,}`)

// shortWord is a length up to which what stands between two spaces stays whole, however deep.
const shortWord = 10

// onlyLetters leaves out all but the letters that wordsOf looks for.
func onlyLetters(text string) string {
	return regexp.MustCompile(`[^A-Za-z]+`).ReplaceAllString(text, "")
}

// hardToFit is Markdown of every sort, and what looks like it.
var hardToFit = []string{
	"# a heading\nand *text* with **bold `code`**, ~~gone~~ and <b>html</b> &amp; &#27;[2J",
	"- one\n- two\n  - three\n\n    more\n1. x\n10) y\n- [x] done\n-\n",
	"> quote\n>> deeper\n> - list\n> ```\n> code\n> ```\n",
	"```go\nfunc a() string { return \"long enough to be broken somewhere\" }\n\n```\n~~~\nno end",
	"| a | b |\n|:--|--:|\n| `x|y` | 漢字 | and more |\n| [w](https://a.b/c) |\n|",
	"[a](b \"title\") [b][c] ![d](e) <https://f.g> www.h.io i@j.kl\n[c]: https://m.n\n[^1]: note",
	"term\n: meaning\n\n    code\n\n---\n\nhard  \nbreak\\\nsoft 👨‍👩‍👧 שלום e\u0301",
	strings.Repeat("> ", 40) + "deep\n\n" + strings.Repeat("- ", 40) + "deep",
	"xyz" + strings.Repeat("https://go.dev/a_b", 5) + "www.a.bc", // broken inside of its last word
	"a\\*b \\ c `\\*` ***x** y* __z__ _a_b_ [](x) [ ](y) ![](z) # \n#\n====\n",
}

func FuzzWhateverIsWrittenFitsAndIsWhole(f *testing.F) {
	for _, text := range hardToFit {
		for _, width := range []int{1, 2, 7, 40, 200} {
			f.Add(text, width)
		}
	}
	f.Fuzz(func(t *testing.T, text string, width int) { requireWhole(t, text, width) })
}

// requireWhole draws a text, and requires that it fits, that nothing in it acts on a
// terminal, and that no word of it is missing.
func requireWhole(t require.TestingT, text string, width int) {
	clean := sanitize.Clean(text)
	width = 1 + (width%200+200)%200
	for _, line := range Render(clean, width, screenSigns) {
		for _, s := range line {
			require.Equal(t, sanitize.Clean(string(s.Text)), s.Text, "nothing that acts")
			require.NotContains(t, s.Text, "\n")
			require.True(t, utf8.ValidString(string(s.Text)))
		}
		if shown := strings.TrimSuffix(plainText([]Line{line}), "\n"); line.cells() > width {
			first, _ := cluster(sanitize.Text(shown))
			require.Equal(t, len(shown), first, "only a character alone is wider than %d: %q", width, shown)
		}
	}
	if strings.Contains(text, "](") && strings.Contains(text, "#") { // a mark in the text itself
		return
	}
	whole := plainText(Render(clean, 1<<20, screenSigns))
	for line := range strings.SplitSeq(string(clean), "\n") {
		if strings.Contains(line, "```") || strings.Contains(line, "~~~") {
			continue
		}
		for token := range strings.FieldsSeq(line) {
			for _, word := range wordsOf.FindAllString(token, -1) {
				if len(token) > shortWord { // it may be broken at ProseWidth, at any depth of lists and quotes
					require.Contains(t, onlyLetters(whole), word)
					continue
				}
				require.Contains(t, whole, word)
			}
		}
	}
}
