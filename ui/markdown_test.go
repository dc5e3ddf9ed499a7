package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
)

// everySort is so many bytes of an answer with blocks of every sort.
func everySort(bytes int) sanitize.Text {
	const piece = "## A heading\n\nSome words of *prose* with `code` and a [link](https://go.dev/doc) that go on for **long enough** to be wrapped somewhere, as prose is in answers.\n\n" +
		"- one item\n- another with `code`\n  - nested\n\n```go\nfunc a(x int) string {\n\treturn fmt.Sprint(\"x\", x) // done\n}\n```\n\n" +
		"| a | b |\n|---|--:|\n| refund.go | 12 |\n| ledger.go | 3 |\n\n"
	return sanitize.Clean(strings.Repeat(piece, bytes/len(piece)+1)[:bytes])
}

// The bound is a little above what a machine counts; the time goes with it.
func TestMarkdownCostsByItsLengthAlone(t *testing.T) {
	p := newProse(newTheme(tint{dark: true, shades: many}), false)
	perKB := func(bytes int) float64 {
		text := everySort(bytes)
		return testing.AllocsPerRun(3, func() { p.render(text, 118) }) / float64(bytes>>10)
	}
	short, long := perKB(14<<10), perKB(160<<10)
	require.Less(t, short, 450.0, "allocations per KB")
	require.Less(t, long, 1.1*short)
}

// A look is turned on where it begins and off where it ends, and nothing is written
// for a text without one.
func TestLooksAreTurnedOnOnce(t *testing.T) {
	for text, want := range map[string]string{
		"plain":            "plain",
		"**a *b* c**":      "\x1b[1ma \x1b[m\x1b[1;3mb\x1b[m\x1b[1m c\x1b[m",
		"> a\n> b":         "│ \x1b[3ma b\x1b[m",
		"`a b`":            "\x1b[38;2;158;193;217ma b\x1b[m",
		"```go\n// a\n```": "  \x1b[3;38;2;139;145;156m// a\x1b[m",
	} {
		p := newProse(newTheme(tint{dark: true, shades: many}), false)
		require.Equal(t, []styled{styled(want)}, p.render(sanitize.Clean(text), 40))
	}
	withoutColours := newProse(newTheme(tint{dark: true}), true)
	require.Equal(t, []styled{"a \x1b[1mb\x1b[m"}, withoutColours.render("a `b`", 40))
	require.Equal(t, []styled{"  return // b"}, withoutColours.render("```go\nreturn // b\n```", 40))
	sixteenColours := newProse(newTheme(tint{dark: true, shades: sixteen}), false)
	require.Equal(t, []styled{"  return"}, sixteenColours.render("```go\nreturn\n```", 40))
}
