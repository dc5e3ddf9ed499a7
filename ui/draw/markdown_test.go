package draw

import (
	"testing"

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
	sixteenColours := NewProse(NewTheme(Tint{Dark: true, Shades: sixteen}), false)
	require.Equal(t, []Styled{"  return"}, sixteenColours.Render("```go\nreturn\n```", 40))
}
