package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

func TestAThemeIsSeenWhileItsLineIsMarkedAndEscGivesTheOldOneBack(t *testing.T) {
	s := newScreen(t, 80, 24, colourTerminal, func(o *Options, _ *terminal.Features) {
		o.KeepTheme = func(string) { t.Error("a theme was kept that nobody took") }
	})
	dark, light := draw.PaletteOf(true, false, draw.Many), draw.PaletteOf(false, false, draw.Many)
	s.sent("/theme")
	require.Equal(t, "Theme", string(s.picker.Title))
	require.Equal(t, dark, s.theme.Inks)
	s.typed("light")
	require.Equal(t, light, s.theme.Inks, "found by its letters")
	s.typed("!")
	require.Equal(t, dark, s.theme.Inks, "nothing matches")
	s.keys("ctrl+u", "down", "down")
	require.Equal(t, light, s.theme.Inks)
	s.keys("esc")
	require.Equal(t, dark, s.theme.Inks)
	require.Equal(t, terminal.ThemeAuto, s.looks.Theme)

	s.sent("/theme")
	s.keys("down", "down")
	_ = s.openPalette() // another list in its place
	require.Equal(t, dark, s.theme.Inks)
}

func TestAQuestionLeavesTheListOfThemesAndItsMark(t *testing.T) {
	s := newScreen(t, 80, 24, colourTerminal)
	s.ask("go")
	s.delegate("audit", true)
	s.sent("/theme")
	s.keys("down", "down")
	s.pass(settled)
	s.comesUp()
	s.pass(noticed)
	require.Equal(t, atQuestion, s.at())
	s.keys("n")
	settledBy(s, "q1", lifecycle.PermissionDenied{Question: "q1", By: "person"})
	require.Equal(t, atPicker, s.at(), "the list stands again, with its mark")
	require.Equal(t, terminal.ThemeLight, string(s.picker.Marked().Name))
	require.Equal(t, terminal.ThemeLight, s.looks.Theme)
	s.keys("ctrl+c")
	require.Equal(t, terminal.ThemeAuto, s.looks.Theme)
	require.False(t, s.quit)
}

func TestATakenThemeStays(t *testing.T) {
	s := newScreen(t, 80, 24, colourTerminal)
	s.sent("/theme")
	s.keys("down", "down", "enter")
	require.Equal(t, terminal.ThemeLight, s.looks.Theme)
	s.sent("/theme")
	s.keys("up", "esc")
	require.Equal(t, terminal.ThemeLight, s.looks.Theme)
}
