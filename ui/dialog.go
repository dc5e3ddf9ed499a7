package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/list"
	"pawl/ui/wording"
)

// listRuns names runs in a dialog.
func (m *model) listRuns(d *dialog, runs []lifecycle.Run) {
	for _, run := range runs {
		d.Body = append(d.Body, draw.Sprintf("%s %s, %s", m.glyphs.State(run.State, 0), wording.Name(run), wording.State(run.State)))
	}
}

func (m *model) closeDialog() tea.Cmd {
	m.dialog = nil
	return nil
}

// closeOver closes what asks about something that is settled, whoever did that.
func (m *model) closeOver() {
	if m.denials != nil && len(m.refused()) == 0 {
		m.disarm()
		m.closeDenials()
		m.say(draw.Quiet, "what was denied is granted")
	}
	if m.dialog == nil || m.dialog.Over == nil {
		return
	}
	if why := m.dialog.Over(m); why != "" {
		m.closeDialog()
		m.say(draw.Quiet, why)
	}
}

func (m *model) pick(by int) tea.Cmd {
	n := len(m.dialog.Choices)
	m.dialog.At = (m.dialog.At + by + n) % n
	return nil
}

// offered reports whether a dialog has a choice with this key: any other letter is text.
func offered(key sanitize.Text) func(*model) bool {
	return func(m *model) bool {
		return m.dialog != nil && slices.ContainsFunc(m.dialog.Choices, func(c choice) bool { return c.Key == key })
	}
}

// has reports whether a dialog has so many choices: a digit beyond them is text.
func has(nth int) func(*model) bool {
	return func(m *model) bool { return m.dialog != nil && nth <= len(m.dialog.Choices) }
}

// chooseNth takes the choice with this number.
func chooseNth(nth int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return m.choose(string(m.dialog.Choices[nth-1].Key)) }
}

// choose takes the choice with this key, or the one that is marked. An Enter that ends
// a sentence is none.
func (m *model) choose(key string) tea.Cmd {
	d := m.dialog
	if key == "" && d.Stays && !m.line().Empty() && !m.quiet(m.clock.Read()) {
		return nil
	}
	for i, c := range d.Choices {
		if key == "" && i != d.At || key != "" && string(c.Key) != key {
			continue
		}
		if c.Key == d.Informed && !d.Read {
			d.Page.Scroll(d.Page.Height())
			return nil
		}
		m.closeDialog()
		if c.Do != nil {
			return c.Do(m)
		}
		return nil
	}
	return nil
}

// What a dialog asks, and what the answers do to the model.
type (
	dialog = list.Dialog[*model]
	choice = list.Choice[*model]
)

// TrustPrompt is what of a folder's files would make Pawl start programs or work in
// another way, and what the user has not seen yet.
type TrustPrompt struct {
	Title string   // the question
	Says  []string // what the files want, a line each
	// Decide is to be told yes, which is for whoever gets Next.Trust, or never for this
	// content. Not now is told to nobody. Its error says that the answer holds, and
	// will not be remembered.
	Decide func(ctx context.Context, trust bool) error
}

// decided is how Decide went.
type decided struct{ err error }

// trustDialog asks about what nobody has trusted before anything else. What was typed before the
// question stood is no answer to it but text, and neither is the first Enter: that means
// "not now". A yes is one to all of it, so it has to have been on the screen: until
// then "yes" shows what comes next.
func (m *model) trustDialog(s *TrustPrompt) *dialog {
	never := func(m *model) tea.Cmd {
		m.seat.Tell("trust", func(m *model) {
			if m.dialog != nil && m.dialog.Stays {
				m.closeDialog()
				m.say(draw.Quiet, "it was answered on another screen")
			}
		})
		return func() tea.Msg { return decided{s.Decide(m.ctx, false)} }
	}
	d := &dialog{
		Title: sanitize.Line(s.Title),
		Whole: true,
		Choices: []choice{
			{Key: "y", Label: "yes, until it changes", Do: func(m *model) tea.Cmd {
				return m.end(Ending{Cause: lifecycle.CauseQuit, Next: &Next{Trust: s}})
			}},
			{Key: "esc", Label: "not now", Do: nil},
			{Key: "x", Label: "no, ask again only if it changes", Do: never},
		},
		At:       1,
		Informed: "y",
		Stays:    true,
		Since:    m.clock.Read(),
	}
	for _, line := range s.Says {
		d.Body = append(d.Body, sanitize.Line(line))
	}
	return d
}

func (m *model) decided(d decided) {
	if d.err != nil {
		m.say(draw.Failure, draw.Sprintf("your answer applies until you quit; it could not be saved: %s", sanitize.Line(d.err.Error())))
	}
}
