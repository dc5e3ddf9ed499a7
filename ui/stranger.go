package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Stranger is what of a folder's files would make Pawl start programs or work in
// another way, and what the user has not seen yet.
type Stranger struct {
	Title string   // the question
	Says  []string // what the files want, a line each
	// Decide is to be told yes, which is for whoever gets Next.Trust, or never for this
	// content. Not now is told to nobody. Its error says that the answer holds, and
	// will not be remembered.
	Decide func(ctx context.Context, trust bool) error
}

// decided is how Decide went.
type decided struct{ err error }

// meet asks about a stranger before anything else. What was typed before the
// question stood is no answer to it but text, and neither is the first Enter: that means
// "not now". A yes is one to all of it, so it has to have been on the screen: until
// then "yes" shows what comes next.
func (m *model) meet(s *Stranger) *dialog {
	never := func(m *model) tea.Cmd {
		return safely(func() tea.Msg { return decided{s.Decide(m.ctx, false)} })
	}
	d := &dialog{
		Title: sanitize.Line(s.Title),
		Whole: true,
		Choices: []choice{
			{Key: "y", Label: "yes, until it changes", Do: func(m *model) tea.Cmd { return m.leaveFor(Next{Trust: s}) }},
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
