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
	waiting  notifications
}

// seen is what a key says: somebody is there.
func (s *signals) seen() { s.ended = "" }

// signalRecord notes what a record means for somebody who looks elsewhere. What a tool
// call waits for is for the parent, and what a person stopped they know of.
func (m *model) signalRecord(rec lifecycle.Record) {
	run := m.runs.Run(rec.Run)
	switch e := rec.Event.(type) {
	case lifecycle.Ended:
		if e.State == lifecycle.StateCanceledByUser || run.Child() && !run.Owes() {
			return
		}
		if m.signals.ended != lifecycle.StateFailed { // a failure is not covered by what ends after it
			m.signals.ended = e.State
		}
		m.notify(endWords(run))
	case lifecycle.PermissionAsked:
		m.notify(draw.Sprintf("%s asks for permission", wording.Name(run)))
	default: // nothing to be seen from afar
	}
}

// signal draws what the window shows.
func (m *model) signal(view *tea.View) {
	view.ReportFocus = m.options.Notify != terminal.NotifyOff
	view.WindowTitle = string(m.masked(m.title()))
	if m.signals.emulator.Bar && !m.recorded() {
		view.ProgressBar = m.progressBar()
	}
}

// masked is a text for where others see it and where it is kept: the list of
// windows, the desktop's notifications. What stands on the screen stays as it is:
// whoever looks there has asked for it.
func (m *model) masked(text sanitize.Text) sanitize.Text {
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

// lull is how far apart two calls are at least. What happens in between is told in
// one, at its end.
const lull = 5 * time.Second

// longestNotification is how much of a call is told, in cells: about what notifications
// show of one.
const longestNotification = 120

// calls are what is to be told while the window has no focus.
type notifications struct {
	words []sanitize.Text
	quiet bool // a call was made just now
}

// lullOver is the end of a lull.
type lullOver struct{}

// notify has something told, unless the user can see it.
func (m *model) notify(words sanitize.Text) {
	if m.signals.away && m.options.Notify != terminal.NotifyOff {
		m.signals.waiting.words = append(m.signals.waiting.words, words)
	}
}

// focusChanged takes in whether somebody looks.
func (m *model) focusChanged(msg tea.Msg) {
	switch msg.(type) {
	case tea.FocusMsg:
		m.signals.away, m.signals.waiting.words = false, nil
	case tea.BlurMsg:
		m.signals.away = true
	case lullOver:
		m.signals.waiting.quiet = false
	}
}

// sendNotification tells what is to be told, and keeps the progress bar up.
func (m *model) sendNotification() tea.Cmd {
	c := &m.signals.waiting
	if m.out.Stalled() { // it would come when it is no news any more
		c.words = nil
		return nil
	}
	if len(c.words) == 0 || c.quiet {
		return m.renewBar()
	}
	words := c.words[0]
	if more := len(c.words) - 1; more > 0 {
		words = draw.Sprintf("%s, and %d more", words, more)
	}
	c.words, c.quiet = nil, true
	return tea.Batch(m.renewBar(),
		terminal.Write(m.signals.emulator.Notification(m.options.Notify, m.canvas().Cut(m.masked(words), longestNotification))),
		terminal.After(m.ctx, lull, func(time.Time) tea.Msg { return lullOver{} }))
}

// endWords tell that a run has ended: which, and how, and nothing of what it found.
func endWords(run lifecycle.Run) sanitize.Text {
	switch {
	case run.Child():
		return draw.Sprintf("%s: %s", wording.Name(run), wording.Standing(run))
	case run.State == lifecycle.StateCompleted:
		return "the answer is there"
	}
	return draw.Sprintf("the turn has ended: %s", wording.Standing(run))
}
