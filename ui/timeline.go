package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// timeline shows all sessions over one axis of time, a lane each: when each waited
// for a slot, worked, was stopped, ended, and when its parent was told.
type timeline struct {
	session lifecycle.SessionID // of the marked lane
}

func timelineKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+t"}, at: working, do: (*model).openTimeline, help: "all runs of the session over time"},
		{keys: []string{"esc", "ctrl+t", "ctrl+c", "q", "left"}, at: atTimeline, do: (*model).closeTimeline, help: "close it"},
		{keys: []string{"up", "k"}, at: atTimeline, do: func(m *model) tea.Cmd { return m.nextLane(-1) }, show: "↑, ↓", help: "the lane above or below"},
		{keys: []string{"down", "j"}, at: atTimeline, do: func(m *model) tea.Cmd { return m.nextLane(1) }},
		{keys: []string{"pgup"}, at: atTimeline, do: func(m *model) tea.Cmd { return m.nextLane(-max(1, m.picture.room-4)) }},
		{keys: []string{"pgdown"}, at: atTimeline, do: func(m *model) tea.Cmd { return m.nextLane(max(1, m.picture.room-4)) }},
		{keys: []string{"enter", "right"}, at: atTimeline, do: (*model).openLane, help: "open its session"},
	}
}

func (m *model) openTimeline() tea.Cmd {
	m.disarm()
	if len(m.runs.order) == 0 {
		m.say(quiet, "nothing has run yet")
		return nil
	}
	m.timeline = &timeline{session: m.target()}
	m.changed()
	return nil
}

func (m *model) closeTimeline() tea.Cmd {
	m.timeline = nil
	m.changed()
	return nil
}

func (m *model) openLane() tea.Cmd {
	session := m.timeline.session
	m.timeline = nil
	return m.show(session)
}

// lanes are the sessions that have one, the root first.
func (m *model) lanes() []lifecycle.SessionID {
	return slices.Concat([]lifecycle.SessionID{m.runs.root}, m.runs.sessions)
}

func (m *model) nextLane(by int) tea.Cmd {
	lanes := m.lanes()
	at := slices.Index(lanes, m.timeline.session) + by
	m.timeline.session = lanes[min(max(0, at), len(lanes)-1)]
	m.changed()
	return nil
}

// laneOf is what one lane shows: the runs of its session, and when that was told of
// the ends of others.
type laneOf struct {
	runs []lifecycle.Run
	told []time.Time
}

// laneName is the room that the name of a lane gets.
const laneName = 22

// renderTimeline draws the lanes, the axis below them, and what the marked one is.
func (m *model) renderTimeline(c canvas, height int) []styled {
	lanes, at := m.lanes(), 0
	for i, session := range lanes {
		if session == m.timeline.session {
			at = i
		}
	}
	name := min(laneName, c.width/3)
	const took = 7
	runs := m.runs.all()
	a := newAxis(runs, c.now, c.width-name-took-3)
	rows := max(1, height-4)
	first := max(0, min(at-rows/2, len(lanes)-rows))
	lines := []styled{c.between(c.theme.strong.draw("Timeline"), c.theme.faint.draw(say("%d of %d", at+1, len(lanes)))), ""}
	if height < 8 {
		lines, rows = nil, max(1, height-2)
	}
	shown := lanes[first:min(len(lanes), first+rows)]
	of := map[lifecycle.SessionID]*laneOf{}
	for _, session := range shown {
		of[session] = &laneOf{}
	}
	for _, run := range runs {
		if l := of[run.Session]; l != nil {
			l.runs = append(l.runs, run)
		}
		if l := of[run.Parent]; l != nil && run.Notification != nil {
			l.told = append(l.told, run.Notification.DeliveredAt)
		}
	}
	for _, session := range shown {
		lines = append(lines, m.renderLane(c, a, session, *of[session], name))
	}
	lines = append(lines, pad("", name+1)+c.ticks(a))
	return append(lines, m.renderLegend(c))[:min(len(lines)+1, height)]
}

// renderLane draws one session: its name, what it did when, and for how long.
func (m *model) renderLane(c canvas, a axis, session lifecycle.SessionID, l laneOf, room int) styled {
	var sum time.Duration
	for _, run := range l.runs {
		sum += run.Elapsed(c.now)
	}
	title, lead, look := name(m.runs.of(session)), styled("  "), c.theme.text
	if session == m.runs.root {
		title = "this session"
	}
	if session == m.timeline.session {
		lead, look = c.theme.accent.draw(c.glyphs.prompt)+" ", c.theme.selected
	}
	left := pad(lead+look.draw(c.cut(title, room-3)), room+1)
	return pad(left+c.lane(a, l), c.width-7) + c.theme.dim.draw(short(sum))
}

// lane draws runs on an axis. What happened goes before what went on.
func (c canvas) lane(a axis, l laneOf) styled {
	cells := make([]styled, a.columns)
	fill := func(from, to time.Time, sign sanitize.Text, look paint) {
		for x := a.column(from); x <= a.column(to); x++ {
			cells[x] = look.draw(sign)
		}
	}
	mark := func(at time.Time, sign sanitize.Text, look paint) {
		if !at.IsZero() {
			cells[a.column(at)] = look.draw(sign)
		}
	}
	for _, run := range l.runs {
		end := run.SpawnedAt.Add(run.Elapsed(c.now))
		begun := run.StartedAt
		if begun.IsZero() {
			begun = end
		}
		fill(run.SpawnedAt, begun, c.glyphs.dot, c.theme.faint)
		if !run.StartedAt.IsZero() {
			fill(begun, end, c.glyphs.bars, c.theme.of(run.State))
		}
	}
	for _, run := range l.runs {
		mark(run.OverdueAt, c.glyphs.warning, c.theme.warn)
		mark(run.StopRequestedAt, c.glyphs.stopped, c.theme.warn)
		if run.State.Terminal() {
			mark(run.SpawnedAt.Add(run.Elapsed(c.now)), c.glyphs.of(run.State, 0), c.theme.of(run.State))
		} else if len(run.Asked) > 0 {
			mark(c.now, "?", c.theme.warn)
		}
	}
	for _, at := range l.told {
		mark(at, c.glyphs.told, c.theme.text)
	}
	var line styled
	for _, cell := range cells {
		if cell == "" {
			cell = " "
		}
		line += cell
	}
	return line
}

// ticks is the axis: where nothing ran there is a break in it, and its ends say
// how long it is.
func (c canvas) ticks(a axis) styled {
	if len(a.spans) == 0 {
		return ""
	}
	rule := []string{}
	for range a.columns {
		rule = append(rule, string(c.glyphs.rule))
	}
	if a.gap > 0 {
		for _, s := range a.spans[1:] {
			rule[s.column-1] = " "
		}
	}
	words := say(" %s ", short(a.busy))
	if n := cells(words); n+4 < a.columns && !slices.Contains(rule[a.columns-n-1:], " ") {
		rule = append(rule[:a.columns-n-1], string(words), string(c.glyphs.rule))
	}
	return c.theme.faint.draw(sanitize.Text(strings.Join(rule, "")))
}

// renderLegend says how the marked session stands, and in what its lane is drawn.
func (m *model) renderLegend(c canvas) styled {
	run := m.runs.of(m.timeline.session)
	state := c.theme.of(run.State).draw(c.glyphs.of(run.State, 0)+" ") + c.theme.dim.draw(standing(run))
	begun := c.theme.dim.draw(say("began %s", run.SpawnedAt.In(c.now.Location()).Format("15:04:05")))
	var waited, told styled
	if queued := run.StartedAt.Sub(run.SpawnedAt); queued >= second {
		waited = c.theme.dim.draw(say("queued %s", short(queued)))
	}
	if n := run.Notification; n != nil && !n.DeliveredAt.IsZero() {
		told = c.theme.dim.draw(say("parent told at %s", n.DeliveredAt.In(c.now.Location()).Format("15:04:05")))
	}
	signs := c.theme.faint.draw(say("%s queued  %s worked  %s told  %s stop", c.glyphs.dot, c.glyphs.bars, c.glyphs.told, c.glyphs.stopped))
	line := "  " + c.joined(state, begun, waited, told)
	if cells(line)+cells(signs)+2 > c.width {
		return c.cutStyled(line, c.width)
	}
	return c.between(line, signs)
}
