package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
	"pawl/ui/highlight"
)

func TestBlocksAreDrawnAsTheyAreMeant(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		width int
		want  string
	}{
		"headings":                   {"# One\ntext\n\nTwo\n---\n### Three ###", 40, "One\n\ntext\n\nTwo\n\nThree"},
		"lines that end":             {"one  \ntwo\\\nthree\nfour", 40, "one\ntwo\nthree four"},
		"a tight list":               {"- a\n- b\n  - c\n    - d\n- e", 40, "• a\n• b\n  • c\n    • d\n• e"},
		"a loose list of words":      {"- a\n\n- b\n\n- c", 40, "• a\n• b\n• c"},
		"an item of more than words": {"- a\n- b\n\n  more\n- c", 40, "• a\n\n• b\n\n  more\n\n• c"},
		"code in a tight list":       {"1. run\n   ```\n   x\n   ```\n2. then", 40, "1. run\n     x\n2. then"},
		"numbers":                    {"9. a\n10. b\n   - c\n\n1) d", 40, "9. a\n10. b\n\n• c\n\n1) d"},
		"a long item":                {"10. a long item that goes on", 16, "10. a long item\n    that goes on"},
		"tasks":                      {"- [ ] a\n- [x] b\n  1. [ ] c", 40, "☐ a\n☑ b\n  ☐ c"},
		"an empty item":              {"- \n- b", 40, "•\n• b"},
		"quotes":                     {"> a\n> > b\n>\n> - c\n>\n> 1. d", 40, "│ a\n│\n│ │ b\n│\n│ • c\n│\n│ 1. d"},
		"a quote in a list":          {"- a\n  > b\n- c", 40, "• a\n  │ b\n• c"},
		"code":                       {"```\na\n\n  b\n\n```\nx\n\n    c\n", 40, "  a\n\n    b\n\nx\n\n  c"},
		"code with no end":           {"~~~\na", 40, "  a"},
		"nothing between fences":     {"a\n\n```\n```\n\nb", 40, "a\n\nb"},
		"a line of code":             {"```\n  abcdefghijkl\n```", 10, "    abcdef\n    ↪ ghij\n    ↪ kl"},
		"a rule":                     {"a\n\n***\nb", 40, "a\n\n───\n\nb"},
		"terms":                      {"A\n: one\n: two\n\nB\n: three", 40, "A\n  one\n  two\n\nB\n  three"},
		"HTML":                       {"<div>\n<b>x</b> &lt; &#27;[2J <!-- y -->", 60, "<div> <b>x</b> &lt; &#27;[2J <!-- y -->"},
		"links":                      {"[a](b \"t\") ![c](d) [e](#f) [https://g.h](https://g.h) <i@j.k>", 80, "a b (t) c d e https://g.h i@j.k"},
		"links to marks":             {"see [a] and [b][c]\n[c]: https://d.e\n[^1]: f", 80, "see [a] and [b][c]\n[c]: https://d.e\n[^1]: f"},
		"an address":                 {"at https://go.dev/a/long/path", 16, "at\nhttps://go.dev/a\n/long/path"},
		"a hyphen":                   {"a well-known --flag", 10, "a well-\nknown\n--flag"},
		"what is wide":               {"漢字漢字漢字。漢字", 12, "漢字漢字漢\n字。漢字"},
		"what is wider than a line":  {"a漢b", 1, "a\n漢\nb"},
		"signs that are no Markdown": {"\\*a\\* \\\\ 2 * 3 * 4 snake_case_name `\\*`", 60, "*a* \\ 2 * 3 * 4 snake_case_name \\*"},
		"a mark without room":        {"- - - - - - - a b c", 9, "• • • • •\n    • • a\n    b c"},
		"nothing":                    {"\n\n \n", 40, ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, strings.TrimSuffix(plainText(Render(sanitize.Text(test.text), test.width, screenSigns)), "\n"))
		})
	}
}

func TestTablesFitTheirRoom(t *testing.T) {
	const table = "| File | 数 | Note |\n|:--|--:|:-:|\n| a.go | 12 | a [link](https://go.dev) |\n| b.go | 漢字 | some words that go on | and | more |\n| only |\n"
	for width, want := range map[int]string{
		60: `
 File │   数 │                Note
──────┼──────┼────────────────────────────────────
 a.go │   12 │             a link[1]
 b.go │ 漢字 │ some words that go on | and | more
 only │      │

[1]: https://go.dev
`,
		31: `
 File │   数 │      Note
──────┼──────┼─────────────────
 a.go │   12 │    a link[1]
 b.go │ 漢字 │ some words that
      │      │  go on | and |
      │      │      more
 only │      │

[1]: https://go.dev
`,
		16: `
File: a.go
数: 12
Note: a link[1]

File: b.go
数: 漢字
Note: some words
that go on | and
| more

File: only
数:
Note:

[1]:
https://go.dev
`,
	} {
		require.Equal(t, strings.TrimPrefix(want, "\n"), plainText(Render(table, width, screenSigns)))
	}
}

func TestLooksSayWhatIsMeant(t *testing.T) {
	for text, want := range map[string]Line{
		"# a *b*":            {{"a ", Look{Weight: Strong | Underlined}}, {"b", Look{Weight: Strong | Underlined | Emphasis}}},
		"## `a`":             {{"a", Look{Weight: Strong, Ink: InkQuoted}}},
		"***a*** ~~b~~":      {{"a", Look{Weight: Strong | Emphasis}}, {" ", Look{}}, {"b", Look{Weight: Struck}}},
		"> a **b**":          {{"│ ", Look{}}, {"a ", Look{Weight: Emphasis}}, {"b", Look{Weight: Strong | Emphasis}}},
		"[a](b)":             {{"a", Look{Ink: InkLink}}, {" ", Look{}}, {"b", Look{Ink: InkAddress, Weight: Underlined}}},
		"https://a.b.":       {{"https://a.b", Look{Ink: InkAddress, Weight: Underlined}}, {".", Look{}}},
		"---":                {{"───", Look{Ink: InkSign}}},
		"```go\nreturn\n```": {{"  ", Look{}}, {"return", Look{Ink: InkCode, Code: highlight.Keyword}}},
	} {
		require.Equal(t, []Line{want}, Render(sanitize.Text(text), 40, screenSigns), text)
	}
}

func TestProseIsNoWiderThanIsReadWithEaseAndCodeMayBe(t *testing.T) {
	words, code := strings.Repeat("words ", 60), strings.Repeat("x", 150)
	text := words + "\n\n- " + words + "\n\n> " + words + "\n\n# " + words + "\n\n```\n" + code + "\n```\n"
	widest, whole := 0, 0
	for _, line := range Render(sanitize.Clean(text), 200, Signs{Bullet: "•", Bar: "│", Rule: "─", Cross: "┼"}) {
		plain := ""
		for _, span := range line {
			plain += string(span.Text)
		}
		if strings.Contains(plain, code) {
			whole++
			continue
		}
		widest = max(widest, cells(sanitize.Clean(plain)))
	}
	require.Equal(t, 1, whole, "code is not broken")
	require.LessOrEqual(t, widest, ProseWidth)
	require.Greater(t, widest, ProseWidth-len("words "))
}
