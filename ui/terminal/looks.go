package terminal

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pawl/ui/draw"
)

// The themes by name, as a setting and /theme take them.
const (
	ThemeAuto     = "auto" // dark or light, as the terminal is
	ThemeDark     = "dark"
	ThemeLight    = "light"
	ThemeContrast = "contrast" // high contrast, dark or light as the terminal is
)

// Themes are the themes that there are.
func Themes() []string { return []string{ThemeAuto, ThemeDark, ThemeLight, ThemeContrast} }

// Looks is what the colours of a screen are chosen by: what the user wants, and what the terminal
// has told of itself.
type Looks struct {
	Theme  string
	Light  bool // the terminal's background
	Shades draw.Shades
}

// FirstLooks are those before the terminal has answered, and where it never does: most are dark,
// and have many colours. An empty theme is auto.
func FirstLooks(theme string, term Features) Looks {
	l := Looks{Theme: theme, Light: term.Light, Shades: draw.Many}
	if theme == "" {
		l.Theme = ThemeAuto
	}
	if !term.Colour {
		l.Shades = draw.Plain
	}
	return l
}

// Tint is what a theme is made of.
func (l Looks) Tint() draw.Tint {
	t := draw.Tint{Dark: !l.Light, Contrast: l.Theme == ThemeContrast, Shades: l.Shades}
	switch l.Theme {
	case ThemeDark:
		t.Dark = true
	case ThemeLight:
		t.Dark = false
	default: // as the terminal is
	}
	return t
}

// AskLooks asks what the terminal looks like, now and whenever that changes.
func AskLooks() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, Write(SchemeReportsOn))
}

// Learn takes in what the terminal tells of its looks, and gives what is to be asked next.
func (l *Looks) Learn(msg tea.Msg, colour bool) tea.Cmd {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		l.Light = !msg.IsDark()
	case tea.ColorProfileMsg:
		if colour {
			l.Shades = draw.ShadesOf(msg.Profile)
		}
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return tea.RequestBackgroundColor // the scheme is the system's; the colour is what is seen
	}
	return nil
}
