package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
)

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
		p := NewProse(NewTheme(Tint{Dark: true, Shades: Many}), false)
		require.Equal(t, []Styled{Styled(want)}, p.Render(sanitize.Clean(text), 40))
	}
	withoutColours := NewProse(NewTheme(Tint{Dark: true}), true)
	require.Equal(t, []Styled{"a \x1b[1mb\x1b[m"}, withoutColours.Render("a `b`", 40))
	require.Equal(t, []Styled{"  return // b"}, withoutColours.Render("```go\nreturn // b\n```", 40))
	sixteenColours := NewProse(NewTheme(Tint{Dark: true, Shades: Sixteen}), false)
	require.Equal(t, []Styled{"  return"}, sixteenColours.Render("```go\nreturn\n```", 40))
}

func drawnMarkdown(text string, width int) string {
	var lines []string
	for _, line := range NewProse(NewTheme(Tint{Dark: true}), false).Render(sanitize.Clean(text), width) {
		lines = append(lines, string(sanitize.Clean(ansi.Strip(string(line)))))
	}
	return strings.Join(lines, "\n")
}

func TestCodeIsBrokenWhereTheScreenEndsWithASign(t *testing.T) {
	require.Equal(t, `  func Refund(ctx context.Context, am
  ↪ ount int64) (int64, error) {
      return amount, nil
  }`, drawnMarkdown("```go\nfunc Refund(ctx context.Context, amount int64) (int64, error) {\n    return amount, nil\n}\n```", 37))
}

func TestAQuoteKeepsItsBarOnEveryLine(t *testing.T) {
	require.Equal(t, `│ quote text that is long enough to
│ be wrapped at forty
│
│ │ and one inside of it that is as
│ │ long`, drawnMarkdown("> quote text that is long enough to be wrapped at forty\n>\n>> and one inside of it that is as long", 37))
}

func TestATableTakesNoMoreRoomThanItNeeds(t *testing.T) {
	const table = "| Name | Count |\n|---|---:|\n| refund.go | 12 |\n| 漢字 and 👍 | 3 |\n"
	for _, line := range strings.Split(drawnMarkdown(table, 200), "\n") {
		require.LessOrEqual(t, Cells(line), 40)
	}
	for width := 1; width < 60; width++ {
		for _, line := range strings.Split(drawnMarkdown(table, width), "\n") {
			require.LessOrEqual(t, Cells(line), max(width, 2), "one character may need two")
		}
	}
}
