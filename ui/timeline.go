package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/timeline"
	"pawl/ui/transcript"
)

// timelineView shows all sessions over one axis of time, a lane each: when each waited
// for a slot, asked its model, used a tool, asked a person, was warned, stopped, told.
//
//	roster ──► when each run was there (chart) ┐
//	chronicle ──► what each did when ──────────┴──► cells of a lane, on the part of the
//	              axis that is shown; what the cursor stands on in words below them
//
// Without a cursor it stands at its right edge, which is now; with one it stays on a
// mark while others come.
type timelineView struct {
	session lifecycle.SessionID // of the lane with the cursor
	at      time.Time           // where the cursor is; zero: at the right edge
	mark    lifecycle.Seq       // the mark that it was set on, 0 for the one nearest to at
	zoom    timeline.Zoom
}

func timelineKeys() []binding {
	lane := func(by func(*model) int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.nextLane(by(m)) }
	}
	step := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.nextMark(by) } }
	near := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.zoomBy(by) } }
	return []binding{
		{keys: []string{"ctrl+t"}, at: working | atQuestion, do: (*model).turnTimeline, help: "all runs of the session over time"},
		{keys: []string{"esc", "ctrl+t", "ctrl+c", "q"}, at: atTimeline, do: (*model).closeTimeline, help: "close it"},
		{keys: []string{"up", "k"}, at: atTimeline, moves: true, do: lane(func(*model) int { return -1 }), show: "↑, ↓, pgup, pgdn", help: "previous or next lane; a click"},
		{keys: []string{"down", "j"}, at: atTimeline, moves: true, do: lane(func(*model) int { return 1 })},
		{keys: []string{"pgup"}, at: atTimeline, do: lane(func(m *model) int { return -m.lanesShown() })},
		{keys: []string{"pgdown"}, at: atTimeline, do: lane((*model).lanesShown)},
		{keys: []string{"left", "h"}, at: atTimeline, moves: true, do: step(-1), show: "←, →", help: "from mark to mark in the lane; past the newest: follow what comes"},
		{keys: []string{"right", "l"}, at: atTimeline, moves: true, do: step(1)},
		{keys: []string{"home"}, at: atTimeline, do: (*model).firstMark, show: "home, end", help: "the oldest mark; the right edge"},
		{keys: []string{"end"}, at: atTimeline, do: (*model).toEdge},
		{keys: []string{"+", "="}, at: atTimeline, moves: true, do: near(1), show: "+, -, 0", help: "zoom in and out around the cursor; the whole"},
		{keys: []string{"-"}, at: atTimeline, moves: true, do: near(-1)},
		{keys: []string{"0"}, at: atTimeline, moves: true, do: (*model).zoomOut},
		{keys: []string{"enter"}, at: atTimeline, do: (*model).openLane, help: "open its session, at the mark"},
	}
}

func (m *model) openTimeline() tea.Cmd {
	m.disarm()
	if m.runs.Latest(m.runs.Root()).ID == "" && m.options.Snapshot.Seq == 0 {
		m.say(draw.Quiet, "nothing has run yet")
		return nil
	}
	m.timeline = &timelineView{session: m.target()}
	m.changed()
	return m.chronicleOn()
}

// turnTimeline opens the timeline, or closes it where a question that came over it has
// the other keys.
func (m *model) turnTimeline() tea.Cmd {
	if m.timeline != nil {
		return m.closeTimeline()
	}
	return m.openTimeline()
}

func (m *model) closeTimeline() tea.Cmd {
	m.timeline = nil
	m.changed()
	return nil
}

// openLane opens the session of the lane: at the mark with the cursor, else where it
// was left.
func (m *model) openLane() tea.Cmd {
	session := m.timeline.session
	mark, on := m.cursor()
	m.timeline = nil
	shown := m.show(session)
	if !on {
		return shown
	}
	// What the model said comes behind its request, a question behind its call.
	m.view().goal = goal{seq: mark.Seq, onward: mark.Kind == lifecycle.SpanModel || mark.Kind == lifecycle.SpanTold}
	return tea.Batch(shown, m.toGoal())
}

// toGoal gives the focus to the block that the view is on its way to, when that is
// there.
func (m *model) toGoal() tea.Cmd {
	view, talk := m.view(), m.talk(m.open)
	to := view.goal
	if to.seq == 0 {
		return nil
	}
	if first := talk.First(); !talk.Complete && m.options.Older != nil && (first == 0 || first > to.seq) {
		return m.readOlder(searchedAtOnce)
	}
	view.goal = goal{}
	at := to.block(talk.Blocks)
	if at < 0 {
		return nil
	}
	view.jump(m, talk, at, 0, 1)
	m.reader = &reader{block: talk.Blocks[at]}
	m.changed()
	return m.fill()
}

// block is the place of the goal among some blocks, -1 where there are none.
func (g goal) block(blocks []*transcript.Block) int {
	at := slices.IndexFunc(blocks, func(b *transcript.Block) bool { return b.After(g.seq - 1) })
	switch {
	case at < 0:
		return len(blocks) - 1
	case at > 0 && !g.onward && blocks[at].Seq != g.seq:
		return at - 1
	}
	return at
}

// lanes are the sessions that have one, the root first.
func (m *model) lanes() []lifecycle.SessionID {
	return slices.Concat([]lifecycle.SessionID{m.runs.Root()}, m.runs.Sessions)
}

// nextLane takes the cursor to another lane, and stays at its time.
func (m *model) nextLane(by int) tea.Cmd {
	lanes := m.lanes()
	at := slices.Index(lanes, m.timeline.session) + by
	m.timeline.session = lanes[min(max(0, at), len(lanes)-1)]
	m.timeline.mark = 0
	m.changed()
	return nil
}

// lanesShown is how many lanes the last picture had.
func (m *model) lanesShown() int { return max(1, len(m.picture.hits.lanes.sessions)) }
