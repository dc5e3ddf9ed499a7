package ui

import (
	"image/color"
	"regexp"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
	"pawl/ui/terminal"
)

func profileMsg(p colorprofile.Profile) tea.Msg { return tea.ColorProfileMsg{Profile: p} }

func colourTerminal(_ *Options, term *terminal.Features) { term.Colour = true }

func backgroundOf(grey uint8) tea.Msg {
	return tea.BackgroundColorMsg{Color: color.Gray{grey}}
}

func TestTheThemeFollowsTheTerminalUnlessOneIsNamed(t *testing.T) {
	for theme, wants := range map[string][2]draw.Palette{ // on a dark terminal, on a light one
		"":         {draw.PaletteOf(true, false, draw.Many), draw.PaletteOf(false, false, draw.Many)},
		"auto":     {draw.PaletteOf(true, false, draw.Many), draw.PaletteOf(false, false, draw.Many)},
		"dark":     {draw.PaletteOf(true, false, draw.Many), draw.PaletteOf(true, false, draw.Many)},
		"light":    {draw.PaletteOf(false, false, draw.Many), draw.PaletteOf(false, false, draw.Many)},
		"contrast": {draw.PaletteOf(true, true, draw.Many), draw.PaletteOf(false, true, draw.Many)},
	} {
		s := newScreen(t, 80, 24, colourTerminal, func(o *Options, _ *terminal.Features) { o.Theme = theme })
		require.Equal(t, wants[0], s.theme.Inks, "%q before the terminal has answered", theme)
		s.send(backgroundOf(255))
		require.Equal(t, wants[1], s.theme.Inks, "%q on white", theme)
		s.send(backgroundOf(20))
		require.Equal(t, wants[0], s.theme.Inks, "%q on black again", theme)
	}
}

// Some terminals say it in a variable, and not all answer.
func TestABackgroundInAVariableStandsUntilTheTerminalAnswers(t *testing.T) {
	for value, light := range map[string]bool{"0;15": true, "0;default;15": true, "15;0": false, "": false} {
		term := terminal.ReadFeatures([]string{"COLORFGBG=" + value})
		require.Equal(t, light, term.Light, value)
	}
	s := newScreen(t, 80, 24, colourTerminal, func(_ *Options, term *terminal.Features) { term.Light = true })
	require.Equal(t, draw.PaletteOf(false, false, draw.Many), s.theme.Inks)
	s.send(backgroundOf(20))
	require.Equal(t, draw.PaletteOf(true, false, draw.Many), s.theme.Inks)
}

// The report is of the system's scheme; what counts is the colour that is seen.
func TestAReportOfTheSchemeAsksForTheBackground(t *testing.T) {
	s := newScreen(t, 80, 24, colourTerminal)
	for _, report := range []tea.Msg{uv.LightColorSchemeEvent{}, uv.DarkColorSchemeEvent{}} {
		require.Equal(t, tea.RequestBackgroundColor(), s.learn(report)())
	}
}

func TestAThemeThatIsWornIsKeptAndOneThatIsTriedOnIsNot(t *testing.T) {
	var kept []string
	s := newScreen(t, 80, 24, colourTerminal, func(o *Options, _ *terminal.Features) { o.KeepTheme = func(name string) { kept = append(kept, name) } })
	s.previewTheme("light")
	require.Equal(t, draw.PaletteOf(false, false, draw.Many), s.theme.Inks)
	s.carryOut(s.setTheme("contrast"))
	require.Equal(t, draw.PaletteOf(true, true, draw.Many), s.theme.Inks)
	require.Equal(t, []string{"contrast"}, kept)
	s.carryOut(s.setTheme("sepia"))
	s.previewTheme("sepia")
	require.Equal(t, []string{"contrast"}, kept)
	require.Equal(t, draw.PaletteOf(true, true, draw.Many), s.theme.Inks)
	require.Contains(t, s.text(), "sepia")
}

func TestAThemeBesideASettingIsForNow(t *testing.T) {
	s := newScreen(t, 80, 24, colourTerminal, func(o *Options, _ *terminal.Features) { o.Theme = "dark" })
	s.carryOut(s.setTheme("light"))
	require.Equal(t, draw.PaletteOf(false, false, draw.Many), s.theme.Inks)
	require.Contains(t, s.text(), "screen.theme")
}

func TestReducedMotionMovesFiguresAlone(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		s := newScreen(t, 80, 24, func(o *Options, term *terminal.Features) { o.ReducedMotion, term.ASCII = true, ascii })
		s.ask("go")
		s.delegate("audit refunds", true)
		first := s.text()
		for range 7 {
			s.Update(terminal.Tick(s.now)) // frames pass, and no time
			require.Equal(t, first, s.text())
		}
		require.False(t, s.View().Cursor.Blink)
	}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.ReducedMotion = true })
	require.Equal(t, time.Second, s.clock.Every)
	moving := newScreen(t, 80, 24)
	require.True(t, moving.View().Cursor.Blink)
}

// A high contrast without colour has no weaker weights either.
func TestHighContrastWithoutColourIsNeverFaint(t *testing.T) {
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.Theme = "contrast" })
	s.worked()
	require.NotContains(t, s.View().Content, "\x1b[2m")
	require.Contains(t, s.View().Content, "\x1b[1m")
	require.Contains(t, ansi.Strip(s.View().Content), "audit")
}

// The picture has the colours that the terminal has.
func TestTheColoursAreThoseOfTheTerminal(t *testing.T) {
	s := newScreen(t, 80, 24, func(_ *Options, term *terminal.Features) { term.Colour = true })
	s.worked()
	s.Update(profileMsg(colorprofile.ANSI))
	require.NotContains(t, s.View().Content, "38;2;")
	require.Contains(t, s.View().Content, "\x1b[33m")
	s.Update(profileMsg(colorprofile.ASCII))
	require.Empty(t, regexp.MustCompile(`\x1b\[(3|4|9)\d`).FindString(s.View().Content))
	s.Update(profileMsg(colorprofile.TrueColor))
	require.Contains(t, s.View().Content, "38;2;")
}
