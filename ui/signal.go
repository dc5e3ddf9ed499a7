package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/wording"
)

// signals is what the window itself shows of the session, outside of the screen:
// its title, the terminal's progress bar, and calls while it has no focus.
type signals struct {
	emulator terminal.Emulator
	ended    lifecycle.State // how the newest run ended since the last key; empty for none
	renewed  time.Time       // when the progress bar was last sent
	away     bool            // the window has no focus, as far as it tells
	calls    calls
}

// seen is what a key says: somebody is there.
func (s *signals) seen() { s.ended = "" }

// overhear notes what a record means for somebody who looks elsewhere. What a tool
// call waits for is for the parent, and what a person stopped they know of.
func (m *model) overhear(rec lifecycle.Record) {
	run := m.runs.Run(rec.Run)
	switch e := rec.Event.(type) {
	case lifecycle.Ended:
		if e.State == lifecycle.StateCanceledByUser || run.Child() && !run.Owes() {
			return
		}
		if m.signals.ended != lifecycle.StateFailed { // a failure is not covered by what ends after it
			m.signals.ended = e.State
		}
		m.remind(endWords(run))
	case lifecycle.PermissionAsked:
		m.remind(draw.Sprintf("%s asks for permission", wording.Name(run)))
	default: // nothing to be seen from afar
	}
}

// signal draws what the window shows.
func (m *model) signal(view *tea.View) {
	view.ReportFocus = m.options.Notify != terminal.NotifyOff
	view.WindowTitle = string(m.outside(m.title()))
	if m.signals.emulator.Bar && !m.recorded() {
		view.ProgressBar = m.progressBar()
	}
}

// outside is a text for where others see it and where it is kept: the list of
// windows, the desktop's notifications. What stands on the screen stays as it is:
// whoever looks there has asked for it.
func (m *model) outside(text sanitize.Text) sanitize.Text {
	return sanitize.Clean(m.options.Hide.Text(text.String()))
}

// title is the plain title of the window: where one is, and in front of that what
// it would be worth a look for. No sign of ours has 9C among its bytes, as ✓ and ✗
// do: some terminals take that for the end of a title, and show the rest.
func (m *model) title() sanitize.Text {
	ended, failed := sanitize.Text("☑"), sanitize.Text("☒")
	if m.term.ASCII {
		ended, failed = m.glyphs.Done, m.glyphs.Failed
	}
	if m.recorded() {
		return draw.Sprintf("pawl recording %s", sanitize.Line(m.options.Recorded.Name))
	}
	title := draw.Sprintf("pawl %s", sanitize.Line(m.options.Folder))
	switch n := m.runs.Working(); {
	case m.waitsForSomebody():
		return draw.Sprintf("? %s", title)
	case n > 0:
		return draw.Sprintf("%s %s (%d running)", m.glyphs.Active, title, n)
	case m.signals.ended == lifecycle.StateFailed:
		return draw.Sprintf("%s %s", failed, title)
	case m.signals.ended != "":
		return draw.Sprintf("%s %s", ended, title)
	}
	return title
}

func (m *model) waitsForSomebody() bool {
	return len(m.runs.Questions()) > 0 || m.dialog != nil
}

// progressBar is nil while there is nothing to show: nobody waits for background
// runs.
func (m *model) progressBar() *tea.ProgressBar {
	switch {
	case m.waitsForSomebody():
		return tea.NewProgressBar(tea.ProgressBarWarning, 100)
	case m.runs.Alive(m.runs.Root()) || m.hasForeground():
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	case m.signals.ended == lifecycle.StateFailed:
		return tea.NewProgressBar(tea.ProgressBarError, 100)
	}
	return nil
}

// renewal is how often the bar is sent again while it stands: Ghostty takes one
// away that it has not heard of for 15 s.
const renewal = 10 * time.Second

func (m *model) renewBar() tea.Cmd {
	now, bar := m.clock.Read(), m.picture.view.ProgressBar
	switch {
	case bar == nil, bar.State == tea.ProgressBarError:
		m.signals.renewed = now
		return nil
	case now.Sub(m.signals.renewed) < renewal:
		return nil
	}
	m.signals.renewed = now
	if bar.State == tea.ProgressBarIndeterminate {
		return terminal.Write(ansi.SetIndeterminateProgressBar)
	}
	return terminal.Write(draw.Sequence(ansi.SetWarningProgressBar(bar.Value)))
}
