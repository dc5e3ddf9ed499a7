package ui

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/ui/approval"
	"pawl/ui/draw"
)

func TestAnAnswerThatRestsOnNoFileIsSpokenOfAsSuch(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	forgotten := 0
	s.options.Permissions = func() []approval.Rule {
		return []approval.Rule{
			{Text: "ask shell(*)", Says: "this folder is not trusted"},
			{Text: "trust in git", Says: "your answer", Later: true, Forget: func(context.Context) error { forgotten++; return nil }},
		}
	}
	s.sent("/permissions")
	s.typed("ask")
	s.keys("enter")
	require.Contains(t, s.text(), "ask shell(*): this folder is not trusted")
	s.sent("/permissions")
	s.typed("trust in")
	s.keys("enter")
	require.Contains(t, s.inside(), "Revoke trust in git?\n  trust in git: your answer.\n")
	require.Contains(t, s.text(), "yes, from the next start")
	s.keys("y")
	require.Equal(t, 1, forgotten)
	require.Contains(t, s.text(), "trust in git is revoked: the next start asks again")
}

func TestAnIndentedLineOfADialogGoesOnBelowItsBeginning(t *testing.T) {
	c := draw.Canvas{Theme: draw.NewTheme(draw.Tint{Dark: true}), Glyphs: draw.NewGlyphs(false), Width: 12}
	require.Equal(t, []string{"    one two", "    three", "    four"}, plainLines(c.HangIndent("    one two three four")))
}
