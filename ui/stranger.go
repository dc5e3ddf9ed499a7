package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// Stranger is a file of the folder that would make Pawl start programs, and that
// the user has not seen yet.
type Stranger struct {
	Title string   // the question
	Says  []string // what the file wants, a line each
	// Decide is told yes, or never for this content. Not now is told to nobody. Its
	// error says that the answer holds, and will not be remembered.
	Decide func(ctx context.Context, trust bool) error
}

// decided is how Decide went.
type decided struct{ err error }

// meetAll asks about strangers one after the other; nil where there is none.
func (m *model) meetAll(strangers []*Stranger) *dialog {
	var first *dialog
	for i, s := range slices.Backward(strangers) {
		d := m.meet(s)
		if d.next = first; len(strangers) > 1 {
			d.nth = say(" %d of %d ", i+1, len(strangers))
		}
		first = d
	}
	return first
}

// after is the dialog that comes when this one is closed. It hears no letters either
// until it has stood for a moment.
func (d *dialog) after(now time.Time) *dialog {
	if d.next != nil {
		d.next.deaf = now.Add(time.Second)
	}
	return d.next
}

// meet asks about a stranger before anything else. What was typed before the
// question stood is no answer to it, and neither is the first Enter: that means
// "not now".
func (m *model) meet(s *Stranger) *dialog {
	answer := func(trust bool) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			return safely(func() tea.Msg { return decided{s.Decide(m.ctx, trust)} })
		}
	}
	d := &dialog{
		title: sanitize.Line(s.Title),
		whole: true,
		choices: []choice{
			{"y", "yes, until the file changes", answer(true)},
			{"esc", "not now", nil},
			{"x", "never, until the file changes", answer(false)},
		},
		at:   1,
		deaf: m.clock.read().Add(time.Second),
	}
	for _, line := range s.Says {
		d.body = append(d.body, sanitize.Line(line))
	}
	return d
}

func (m *model) decided(d decided) {
	if d.err != nil {
		m.say(failure, say("your answer holds until you quit; it is not remembered: %s", sanitize.Line(d.err.Error())))
	}
}
