package pane

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
)

func TestTwoPanesShareAScreenThatIsWideEnough(t *testing.T) {
	var s Split
	require.Equal(t, []Pane{{Session: "root", Width: 200}}, s.Panes("root", "root", 200), "nothing was opened")
	s.Open("a")
	require.Equal(t, []Pane{{Session: "root", Width: 149}}, s.Panes("root", "root", Least-1))
	for width := Least; width < Least+60; width++ {
		for _, focus := range s.Panes("root", "a", width) {
			panes := s.Panes("root", focus.Session, width)
			require.Len(t, panes, 2)
			require.Equal(t, width, panes[0].Width+gutter+panes[1].Width)
			require.InDelta(t, panes[0].Width, panes[1].Width, 1)
			require.True(t, panes[1].Holds(width-1))
			require.False(t, panes[0].Holds(panes[0].Width) || panes[1].Holds(panes[0].Width), "the bar is neither's")
		}
	}
	require.Equal(t, []Pane{{Session: "b", Width: 200}}, s.Panes("root", "b", 200), "another one covers both")
	s = Split{Off: true}
	s.Open("a")
	require.Empty(t, s.Beside)
}

func TestJoinedLinesKeepTheirColumns(t *testing.T) {
	glyphs := draw.NewGlyphs(false)
	c := draw.Canvas{Theme: draw.NewTheme(draw.Tint{Shades: draw.Plain}), Glyphs: glyphs}
	left := []draw.Styled{"abcde漢字", "", c.Theme.Strong.Draw("bold")}
	lines := Join(c, Pane{Width: 6}, left, Pane{X: 9, Width: 3}, []draw.Styled{"a", "bbbb", ""})
	require.Len(t, lines, 3)
	require.Empty(t, Join(c, Pane{Width: 6}, nil, Pane{X: 9, Width: 3}, nil))
	for _, line := range lines {
		before, after, found := strings.Cut(ansi.Strip(string(line)), string(glyphs.Bar))
		require.True(t, found)
		require.Equal(t, 7, ansi.StringWidth(before), "%q", line)
		require.LessOrEqual(t, ansi.StringWidth(after), 1+3, "%q", line)
	}
}
