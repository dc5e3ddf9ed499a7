package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/changes"
	"pawl/ui/draw"
)

// landingKeys are those of a view in which something can be landed.
func landingKeys() []binding {
	return []binding{
		{keys: []string{"space"}, at: atChanges, when: (*model).atLanding, do: func(m *model) tea.Cmd { return m.inChanges((*changes.View).Turn) }, help: "where it can be landed: choose the file or the hunk, or leave it out"},
		{keys: []string{"l"}, at: atChanges, when: (*model).atLanding, do: (*model).landChosen, show: "l l", help: "land what is chosen: bring it into the folder"},
		{keys: []string{"b"}, at: atChanges, when: func(m *model) bool { return m.atLanding() && m.changes.Conflicts() > 0 }, do: (*model).sendBack, help: "send what git cannot merge back to the subagent"},
	}
}

func (m *model) atLanding() bool { return m.changes != nil && m.changes.Landable() }

// landChosen brings what is chosen into the folder, at the second press: it changes files.
func (m *model) landChosen() tea.Cmd {
	if m.recorded() {
		return m.onlyRead()
	}
	agent := m.changes.Only
	again := m.pressed("land", agent)
	chosen := m.changes.Chosen()
	switch {
	case m.options.Land == nil:
		return m.unavailable("land the changes of")
	case len(chosen) == 0:
		m.say(draw.Quiet, "nothing is chosen: space chooses a file, or a hunk in its diff")
		return nil
	case !again:
		m.arm("land", agent, draw.Sprintf("l again lands %s in the folder", words.Count(len(chosen), "file")))
		return nil
	}
	land := m.options.Land
	return m.landing("landing", func(ctx context.Context) (changes.Outcome, error) { return land(ctx, agent, chosen) })
}

// sendBack sends what git cannot merge back to who wrote it.
func (m *model) sendBack() tea.Cmd {
	if m.recorded() {
		return m.onlyRead()
	}
	agent, send := m.changes.Only, m.options.SendBack
	if send == nil {
		return m.unavailable("send back the changes of")
	}
	return m.landing("sending back", func(ctx context.Context) (changes.Outcome, error) { return send(ctx, agent) })
}

// landing carries out one of the two, once at a time, and says what it did.
func (m *model) landing(doing sanitize.Text, act func(context.Context) (changes.Outcome, error)) tea.Cmd {
	if m.review.landing {
		return nil
	}
	m.review.landing = true
	m.underWay++
	m.say(draw.Quiet, doing)
	ctx := m.ctx
	return func() tea.Msg {
		outcome, err := act(ctx)
		return loaded{nil, func(m *model) tea.Cmd { return m.landingDone(outcome, err) }}
	}
}

func (m *model) landingDone(outcome changes.Outcome, err error) tea.Cmd {
	m.review.landing = false
	m.underWay--
	switch {
	case err != nil:
		m.say(draw.Failure, sanitize.Line(err.Error()))
	case outcome.Clean:
		m.say(draw.Quiet, sanitize.Line(outcome.Words))
	default:
		m.say(draw.Caution, sanitize.Line(outcome.Words))
	}
	var read tea.Cmd
	if m.changes != nil {
		read = m.readChanges()
	}
	return tea.Batch(read, m.detachDone())
}
