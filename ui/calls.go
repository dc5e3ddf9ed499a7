package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/wording"
)

// lull is how far apart two calls are at least. What happens in between is told in
// one, at its end.
const lull = 5 * time.Second

// longestCall is how much of a call is told, in cells: about what notifications
// show of one.
const longestCall = 120

// calls are what is to be told while the window has no focus.
type calls struct {
	words []sanitize.Text
	quiet bool // a call was made just now
}

// hush is the end of a lull.
type hush struct{}

// remind has something told, unless the user can see it.
func (m *model) remind(words sanitize.Text) {
	if m.signals.away && m.options.Notify != terminal.NotifyOff {
		m.signals.calls.words = append(m.signals.calls.words, words)
	}
}

// attend takes in whether somebody looks.
func (m *model) attend(msg tea.Msg) {
	switch msg.(type) {
	case tea.FocusMsg:
		m.signals.away, m.signals.calls.words = false, nil
	case tea.BlurMsg:
		m.signals.away = true
	case hush:
		m.signals.calls.quiet = false
	}
}

// call tells what is to be told, and keeps the progress bar up.
func (m *model) call() tea.Cmd {
	c := &m.signals.calls
	if len(c.words) == 0 || c.quiet {
		return m.renewBar()
	}
	words := c.words[0]
	if more := len(c.words) - 1; more > 0 {
		words = draw.Sprintf("%s, and %d more", words, more)
	}
	c.words, c.quiet = nil, true
	return tea.Batch(m.renewBar(),
		terminal.Write(m.signals.emulator.Notification(m.options.Notify, m.canvas().Cut(m.outside(words), longestCall))),
		terminal.After(m.ctx, lull, func(time.Time) tea.Msg { return hush{} }))
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
