package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

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

// themeInputs is what the looks are chosen by: what the user wants, and what the
// terminal has told of itself.
type themeInputs struct {
	theme  string
	light  bool // the terminal's background
	shades draw.Shades
}

// applyFirstTheme makes the looks that stand before the terminal has answered, and where
// it never does: most are dark, and have many colours.
func (m *model) applyFirstTheme() {
	m.themeInputs = themeInputs{theme: m.options.Theme, light: m.term.Light, shades: draw.Many}
	if m.themeInputs.theme == "" {
		m.themeInputs.theme = themeAuto
	}
	if !m.term.Colour {
		m.themeInputs.shades = draw.Plain
	}
	m.signals.emulator = terminal.ReadEmulator(m.options.Env)
	if m.options.ReducedMotion {
		m.reduceMotion()
	}
	m.applyTheme()
}

func (a themeInputs) tint() draw.Tint {
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

// previewTheme shows a theme without keeping it, as while one moves through a list of
// them. A name that is none changes nothing.
func (m *model) previewTheme(name string) {
	if slices.Contains(m.themeNames(), name) {
		m.themeInputs.theme = name
		m.applyTheme()
	}
}

// setTheme puts a theme on and keeps it for the next time, where no setting names one.
func (m *model) setTheme(name string) tea.Cmd {
	if !slices.Contains(m.themeNames(), name) {
		m.say(draw.Failure, draw.Sprintf("%s is not a theme%s", sanitize.Line(name), m.didYouMean(name, m.themeNames())))
		return nil
	}
	m.previewTheme(name)
	keep := m.options.KeepTheme
	if keep == nil {
		m.say(draw.Quiet, draw.Sprintf("theme %s until you quit; the setting screen.theme chooses the one for the next start", sanitize.Line(name)))
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("theme: %s", sanitize.Line(name)))
	return safely(func() tea.Msg { keep(name); return nil })
}

// applyTheme makes the looks anew, and with them the whole picture.
func (m *model) applyTheme() {
	m.theme = draw.NewTheme(m.themeInputs.tint())
	m.markdown = draw.NewProse(m.theme, m.term.ASCII)
	m.changed()
}

// askLooks asks what the terminal looks like, now and whenever that changes.
func askLooks() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, terminal.Write(terminal.SchemeReportsOn))
}

// returned follows the return of a terminal that was lent: what it looks like is asked again,
// and the mode of widths set that Bubble Tea resets when it lets go and does not set again.
func (m *model) returned() tea.Cmd {
	m.changed()
	if !m.graphemes {
		return askLooks()
	}
	return tea.Batch(askLooks(), terminal.Write(ansi.RequestModeUnicodeCore))
}

// learn takes in what the terminal tells of its looks.
func (m *model) learn(msg tea.Msg) tea.Cmd {
	was := m.themeInputs
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		m.themeInputs.light = !msg.IsDark()
	case tea.ColorProfileMsg:
		if m.term.Colour {
			m.themeInputs.shades = draw.ShadesOf(msg.Profile)
		}
	case tea.ModeReportMsg:
		m.graphemes = m.graphemes || msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized && msg.Value != ansi.ModePermanentlyReset
	case uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return tea.RequestBackgroundColor // the scheme is the system's; the colour is what is seen
	}
	if m.themeInputs != was {
		m.applyTheme()
	}
	return nil
}

// themeTyped lists the themes, each shown while the mark is on it, or puts on the one
// that is named.
func (m *model) themeTyped(name string) tea.Cmd {
	if name != "" {
		return m.setTheme(name)
	}
	before := m.themeInputs.theme
	p := &picker{Title: "Theme", Back: func(m *model) { m.previewTheme(before) }}
	for _, theme := range m.themeNames() {
		p.Rows = append(p.Rows, entry{
			Name: sanitize.Line(theme), On: theme == before,
			Try: func(m *model) { m.previewTheme(theme) },
			Do:  func(m *model) tea.Cmd { return m.setTheme(theme) },
		})
	}
	return m.offer(p)
}

// reducedMotionTick is the beat of a screen with reduced motion: often enough for a figure of
// seconds, and nothing moves but figures.
const reducedMotionTick = time.Second

// reduceMotion takes the motion out of the screen.
func (m *model) reduceMotion() {
	m.glyphs = m.glyphs.Steady(m.term.ASCII)
	m.clock.Every = reducedMotionTick
}

// caret is the cursor; with reduced motion it does not blink.
func (m *model) caret(x, y int) *tea.Cursor {
	cursor := tea.NewCursor(x, y)
	cursor.Blink = !m.options.ReducedMotion
	return cursor
}
