package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// applyFirstTheme makes the looks that stand before the terminal has answered, and where
// it never does: most are dark, and have many colours.
func (m *model) applyFirstTheme() {
	m.looks = terminal.FirstLooks(m.options.Theme, m.term)
	m.signals.emulator = terminal.ReadEmulator(m.options.Env)
	if m.options.ReducedMotion {
		m.reduceMotion()
	}
	m.applyTheme()
}

// previewTheme shows a theme without keeping it, as while one moves through a list of
// them. A name that is none changes nothing.
func (m *model) previewTheme(name string) {
	if slices.Contains(terminal.Themes(), name) {
		m.looks.Theme = name
		m.applyTheme()
	}
}

// setTheme puts a theme on and keeps it for the next time, where no setting names one.
func (m *model) setTheme(name string) tea.Cmd {
	if !slices.Contains(terminal.Themes(), name) {
		m.say(draw.Failure, draw.Sprintf("%s is not a theme%s", sanitize.Line(name), m.didYouMean(name, terminal.Themes())))
		return nil
	}
	m.previewTheme(name)
	keep := m.options.KeepTheme
	if keep == nil {
		m.say(draw.Quiet, draw.Sprintf("theme %s until you quit; the setting screen.theme chooses the one for the next start", sanitize.Line(name)))
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("theme: %s", sanitize.Line(name)))
	return func() tea.Msg { keep(name); return nil }
}

// applyTheme makes the looks anew.
func (m *model) applyTheme() {
	m.theme = draw.NewTheme(m.looks.Tint())
	m.markdown = draw.NewProse(m.theme, m.term.ASCII)
}

// returned follows the return of a terminal that was lent: it sets the mode of widths that Bubble
// Tea resets when it lets go and does not set again. It asks nothing: the answer could reach the
// next program that the terminal is lent to.
func (m *model) returned() tea.Cmd {
	if !m.graphemes {
		return nil
	}
	return terminal.Write(ansi.SetModeUnicodeCore)
}

// learn takes in what the terminal tells of its looks.
func (m *model) learn(msg tea.Msg) tea.Cmd {
	if mode, ok := msg.(tea.ModeReportMsg); ok {
		m.graphemes = m.graphemes || mode.Mode == ansi.ModeUnicodeCore && mode.Value != ansi.ModeNotRecognized && mode.Value != ansi.ModePermanentlyReset
	}
	was := m.looks
	ask := m.looks.Learn(msg, m.term.Colour)
	if m.looks != was {
		m.applyTheme()
	}
	return ask
}

// themeTyped lists the themes, each shown while the mark is on it, or puts on the one
// that is named.
func (m *model) themeTyped(name string) tea.Cmd {
	if name != "" {
		return m.setTheme(name)
	}
	before := m.looks.Theme
	p := &picker{Title: "Theme", Back: func(m *model) { m.previewTheme(before) }}
	for _, theme := range terminal.Themes() {
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
