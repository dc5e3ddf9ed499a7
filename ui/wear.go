package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// The themes by name, as a setting and /theme take them.
const (
	themeAuto     = "auto" // dark or light, as the terminal is
	themeDark     = "dark"
	themeLight    = "light"
	themeContrast = "contrast" // high contrast, dark or light as the terminal is
)

// attire is what the looks are chosen by: what the user wants, and what the
// terminal has told of itself.
type attire struct {
	theme  string
	light  bool // the terminal's background
	shades draw.Shades
}

// dressFirst makes the looks that stand before the terminal has answered, and where
// it never does: most are dark, and have many colours.
func (m *model) dressFirst() {
	m.attire = attire{theme: m.options.Theme, light: m.term.Light, shades: draw.Many}
	if m.attire.theme == "" {
		m.attire.theme = themeAuto
	}
	if !m.term.Colour {
		m.attire.shades = draw.Plain
	}
	m.signals.emulator = terminal.ReadEmulator(m.options.Env)
	if m.options.Still {
		m.still()
	}
	m.dress()
}

func (a attire) tint() draw.Tint {
	t := draw.Tint{Dark: !a.light, Contrast: a.theme == themeContrast, Shades: a.shades}
	switch a.theme {
	case themeDark:
		t.Dark = true
	case themeLight:
		t.Dark = false
	default: // as the terminal is
	}
	return t
}

// themeNames are the themes that there are.
func (m *model) themeNames() []string {
	return []string{themeAuto, themeDark, themeLight, themeContrast}
}

// tryOn shows a theme without keeping it, as while one moves through a list of
// them. A name that is none changes nothing.
func (m *model) tryOn(name string) {
	if slices.Contains(m.themeNames(), name) {
		m.attire.theme = name
		m.dress()
	}
}

// wear puts a theme on and keeps it for the next time, where no setting names one.
func (m *model) wear(name string) tea.Cmd {
	if !slices.Contains(m.themeNames(), name) {
		m.say(draw.Failure, draw.Sprintf("%s is not a theme%s", sanitize.Line(name), m.meant(name, m.themeNames())))
		return nil
	}
	m.tryOn(name)
	keep := m.options.KeepTheme
	if keep == nil {
		m.say(draw.Quiet, draw.Sprintf("theme %s until you quit; the setting screen.theme chooses the one for the next start", sanitize.Line(name)))
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("theme: %s", sanitize.Line(name)))
	return safely(func() tea.Msg { keep(name); return nil })
}

// dress makes the looks anew, and with them the whole picture.
func (m *model) dress() {
	m.theme = draw.NewTheme(m.attire.tint())
	m.markdown = draw.NewProse(m.theme, m.term.ASCII)
	m.changed()
}

// askLooks asks what the terminal looks like, now and whenever that changes.
func askLooks() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, terminal.Write(terminal.SchemeReportsOn))
}

// suspend leaves the terminal to the shell, without reports of ours.
func suspend(*model) tea.Cmd {
	return tea.Sequence(terminal.Write(terminal.SchemeReportsOff), tea.Suspend)
}

// learn takes in what the terminal tells of its looks.
func (m *model) learn(msg tea.Msg) tea.Cmd {
	was := m.attire
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		m.attire.light = !msg.IsDark()
	case tea.ColorProfileMsg:
		if m.term.Colour {
			m.attire.shades = draw.ShadesOf(msg.Profile)
		}
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return tea.RequestBackgroundColor // the scheme is the system's; the colour is what is seen
	}
	if m.attire != was {
		m.dress()
	}
	return nil
}
