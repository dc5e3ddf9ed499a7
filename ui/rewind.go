package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/rewind"
	"pawl/ui/wording"
)

func rewindKeys() []binding {
	on := func(change func(*rewind.View)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.inRewind(change) }
	}
	step := func(by int) func(*model) tea.Cmd { return on(func(v *rewind.View) { v.Step(by) }) }
	page := func(by int) func(*model) tea.Cmd { return on(func(v *rewind.View) { v.Page(by) }) }
	turn := func(by int) func(*model) tea.Cmd { return on(func(v *rewind.View) { v.Turn(by) }) }
	return []binding{
		{keys: []string{"esc"}, at: atComposer, when: (*model).idle, do: (*model).escComposer, show: "esc esc", help: "on an empty composer: where the session can be taken back to"},
		{keys: []string{"r"}, at: atBlock, do: (*model).rewindToBlock, help: "on a prompt: take the session back to before it"},
		{keys: []string{"up"}, at: atRewind, do: step(-1), show: "↑, ↓", help: "previous or next file; pgup and pgdn scroll"},
		{keys: []string{"down"}, at: atRewind, do: step(1)},
		{keys: []string{"pgup"}, at: atRewind, do: page(-1)},
		{keys: []string{"pgdown"}, at: atRewind, do: page(1)},
		{keys: []string{"tab", "right"}, at: atRewind, do: turn(1), show: "tab", help: "conversation and files, files alone, the conversation alone"},
		{keys: []string{"shift+tab", "left"}, at: atRewind, do: turn(-1)},
		{keys: []string{"space"}, at: atRewind, do: (*model).toggleRewound, help: "put a file back although somebody else has changed it, or leave it"},
		{keys: []string{"enter"}, at: atRewind, do: (*model).takeBackChosen, help: "take it back; /rewind takes that back again"},
		{keys: []string{"esc", "ctrl+c"}, at: atRewind, do: (*model).closeRewind, help: "close without a change"},
	}
}

// idle reports whether nothing of the session works.
func (m *model) idle() bool { return m.runs.Working() == 0 }

// rewindTyped lists to where the session can be taken back or, for a subagent, its files alone.
func (m *model) rewindTyped(string) tea.Cmd {
	only := m.target()
	if only == m.runs.Root() {
		only = ""
	}
	return m.openPoints(only)
}

// openPoints lists the points, of the session or for one subagent's files alone.
func (m *model) openPoints(only lifecycle.SessionID) tea.Cmd {
	if run := m.runs.Latest(only); only != "" && !run.Subagent() {
		return m.unavailable("take back of a command: go to its agent")
	}
	if m.options.RewindPoints == nil {
		return m.unavailable("take back")
	}
	p := &picker{Title: "Take back to before", Empty: "reading…"}
	if only != "" {
		p.Title = draw.Sprintf("Take back the files of %q to before", wording.Name(m.runs.Latest(only)))
	}
	cmd := m.offer(p)
	return tea.Batch(cmd, m.readPoints(p, func(m *model, points []rewind.Point) tea.Cmd {
		p.Empty = "nothing to take back yet"
		p.Refill(m.pointRows(points, only))
		return nil
	}))
}

// readPoints reads the points for a list, or for what is done then.
func (m *model) readPoints(p *picker, then func(*model, []rewind.Point) tea.Cmd) tea.Cmd {
	ctx, read := m.ctx, m.options.RewindPoints
	return func() tea.Msg {
		points, err := read(ctx)
		return loaded{p, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, draw.Sprintf("%s", sanitize.Line(err.Error())))
				return nil
			}
			return then(m, points)
		}}
	}
}

func (m *model) pointRows(points []rewind.Point, only lifecycle.SessionID) []entry {
	var rows []entry
	for _, p := range points {
		name := sanitize.Line(words.FirstLine(p.Text))
		if p.Kind != pointAtPrompt {
			name = draw.Sprintf("%s: %s", sanitize.Line(p.Kind), name)
		}
		changed := sanitize.Text("no files changed since")
		if p.Changed > 0 {
			changed = draw.Sprintf("%s changed since", words.Count(p.Changed, "file"))
		}
		rows = append(rows, entry{
			Name: name, Sought: sanitize.Line(p.Text),
			More:    []sanitize.Text{changed, sanitize.Line(words.Ago(m.clock.Read().Sub(p.Time)))},
			Preview: []sanitize.Text{sanitize.Clean(p.Text)},
			Do:      func(m *model) tea.Cmd { return m.askRewind(p, only) },
		})
	}
	return rows
}

const pointAtPrompt = "prompt"

// undoTyped asks to take back what followed the last prompt.
func (m *model) undoTyped(string) tea.Cmd {
	return m.rewindTo(func(p rewind.Point) bool { return p.Kind == pointAtPrompt }, "there is no prompt to take back yet")
}

// rewindToBlock asks to take the session back to before the prompt that is read.
func (m *model) rewindToBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 || m.open != m.runs.Root() {
		return m.unavailable("take back to: choose a prompt of the main agent")
	}
	seq := talk.Blocks[i].Seq
	return m.rewindTo(func(p rewind.Point) bool { return p.Seq == seq }, "only prompts, landings and rewinds can be taken back to")
}

// rewindTo asks about the newest point that fits.
func (m *model) rewindTo(fits func(rewind.Point) bool, none sanitize.Text) tea.Cmd {
	if m.options.RewindPoints == nil {
		return m.unavailable("take back")
	}
	return m.readPoints(nil, func(m *model, points []rewind.Point) tea.Cmd {
		i := slices.IndexFunc(points, fits)
		if i < 0 {
			m.say(draw.Quiet, none)
			return nil
		}
		return m.askRewind(points[i], "")
	})
}

// askRewind asks what is taken back to before a point.
func (m *model) askRewind(p rewind.Point, only lifecycle.SessionID) tea.Cmd {
	name := ""
	if only != "" {
		name = wording.Name(m.runs.Latest(only)).String()
	}
	v := rewind.New(p, only, name)
	m.rewinding = v
	ctx, plan := m.ctx, m.options.RewindPlan
	return func() tea.Msg {
		found, err := plan(ctx, p.Seq, only)
		return loaded{nil, func(*model) tea.Cmd { v.Fill(found, err); return nil }}
	}
}

func (m *model) closeRewind() tea.Cmd {
	m.rewinding = nil
	return nil
}

func (m *model) inRewind(change func(*rewind.View)) tea.Cmd {
	change(m.rewinding)
	return nil
}

func (m *model) toggleRewound() tea.Cmd {
	return m.inRewind(func(v *rewind.View) {
		if why := v.Toggle(); why != "" {
			m.say(draw.Quiet, sanitize.Line(why))
		}
	})
}

// takeBackChosen takes back what is chosen. The question stays until that is done.
func (m *model) takeBackChosen() tea.Cmd {
	v := m.rewinding
	choice, ready, why := v.Choice()
	if !ready {
		m.say(draw.Quiet, sanitize.Line(why))
		return nil
	}
	v.Busy = true
	ctx, take := m.ctx, m.options.Rewind
	return func() tea.Msg {
		done, err := take(ctx, choice)
		return loaded{nil, func(m *model) tea.Cmd { return m.tookBack(v, done, err) }}
	}
}

// tookBack says what was taken back, and puts the prompt's text where it can be changed and sent again.
func (m *model) tookBack(v *rewind.View, done rewind.Done, err error) tea.Cmd {
	v.Busy = false
	if err != nil {
		m.say(draw.Failure, sanitize.Line(err.Error()))
		return nil
	}
	if m.rewinding == v {
		m.rewinding = nil
	}
	said, line := sanitize.Line(done.Words), m.composerOf(m.runs.Root())
	switch {
	case done.Text == "":
	case line.Empty():
		line.Replace(line.Folded(done.Text))
		line.Browsed = 0
	default:
		line.Keep(done.Text)
		said = joinWords(said, "ctrl+y inserts the prompt")
	}
	m.say(draw.Quiet, said)
	return m.edited()
}
