package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/timeline"
	"pawl/ui/transcript"
)

func timelineKeys() []binding {
	on := func(change func(*timeline.View, timeline.Session)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			change(m.timeline, m.timelineSession())
			m.changed()
			return nil
		}
	}
	lane := func(by int) func(*model) tea.Cmd {
		return on(func(v *timeline.View, s timeline.Session) { v.NextLane(s, by) })
	}
	page := func(by int) func(*model) tea.Cmd {
		return on(func(v *timeline.View, s timeline.Session) { v.NextLane(s, by*v.Lanes()) })
	}
	step := func(by int) func(*model) tea.Cmd {
		return on(func(v *timeline.View, s timeline.Session) { v.NextMark(s, by) })
	}
	near := func(by int) func(*model) tea.Cmd {
		return on(func(v *timeline.View, s timeline.Session) { v.Zoom(s, by) })
	}
	edge := func(v *timeline.View, _ timeline.Session) { v.ToEdge() }
	whole := func(v *timeline.View, _ timeline.Session) { v.ZoomOut() }
	return []binding{
		{keys: []string{"ctrl+t"}, at: working | atQuestion, do: (*model).toggleTimeline, help: "all runs of the session over time"},
		{keys: []string{"esc", "ctrl+t", "ctrl+c", "q"}, at: atTimeline, do: (*model).closeTimeline, help: "close it"},
		{keys: []string{"up", "k"}, at: atTimeline, moves: true, do: lane(-1), show: "↑, ↓, pgup, pgdn", help: "previous or next lane; a click"},
		{keys: []string{"down", "j"}, at: atTimeline, moves: true, do: lane(1)},
		{keys: []string{"pgup"}, at: atTimeline, do: page(-1)},
		{keys: []string{"pgdown"}, at: atTimeline, do: page(1)},
		{keys: []string{"left", "h"}, at: atTimeline, moves: true, do: step(-1), show: "←, →", help: "from mark to mark in the lane; past the newest: follow what comes"},
		{keys: []string{"right", "l"}, at: atTimeline, moves: true, do: step(1)},
		{keys: []string{"home"}, at: atTimeline, do: on((*timeline.View).FirstMark), show: "home, end", help: "the oldest mark; the right edge"},
		{keys: []string{"end"}, at: atTimeline, do: on(edge)},
		{keys: []string{"+", "="}, at: atTimeline, moves: true, do: near(1), show: "+, -, 0", help: "zoom in and out around the cursor; the whole"},
		{keys: []string{"-"}, at: atTimeline, moves: true, do: near(-1)},
		{keys: []string{"0"}, at: atTimeline, moves: true, do: on(whole)},
		{keys: []string{"enter"}, at: atTimeline, do: (*model).openLane, help: "open its session, at the mark"},
	}
}

func (m *model) openTimeline() tea.Cmd {
	m.disarm()
	if m.runs.Latest(m.runs.Root()).ID == "" && m.options.Snapshot.Seq == 0 {
		m.say(draw.Quiet, "nothing has run yet")
		return nil
	}
	m.timeline = &timeline.View{Session: m.target()}
	m.changed()
	return m.readHistory()
}

// toggleTimeline opens the timeline, or closes it where a question that came over it has
// the other keys.
func (m *model) toggleTimeline() tea.Cmd {
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
	session := m.timeline.Session
	mark, on := m.timeline.Cursor(m.timelineSession())
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
		return m.readOlder(m.open, searchedAtOnce)
	}
	view.goal = goal{}
	at := to.block(talk.Blocks)
	if at < 0 {
		return nil
	}
	m.jump(at, 0, 1)
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

// timelineSession is what the timeline reads now.
func (m *model) timelineSession() timeline.Session {
	return timeline.Session{Runs: m.runs, History: &m.history, Now: m.clock.Read(), Newest: m.newestRecord()}
}

// historyRead is a page of the log.
type historyRead struct {
	records []lifecycle.Record
	err     error
}

// historyPage is how many records are read at once. With results at their longest
// (30,000 characters) that is 15 MB.
const historyPage = 500

// follow takes in what the watch has brought.
func (m *model) follow(records []lifecycle.Record) tea.Cmd {
	h := &m.history
	for _, rec := range records {
		if m.options.Records == nil && rec.Seq > h.Seq {
			h.Seq = rec.Seq - 1 // nothing older can be had
		}
		h.Fold(rec)
	}
	if n := len(records); n == 0 || records[n-1].Seq <= h.Seq {
		return nil
	}
	return m.keepUp()
}

// keepUp reads what is missing behind what was read, once somebody wants it.
func (m *model) keepUp() tea.Cmd {
	if !m.history.Wanted || m.history.Trouble != "" {
		return nil
	}
	return m.readHistory()
}

// newestRecord is the last record that the screen has been told of.
func (m *model) newestRecord() lifecycle.Seq {
	return m.runs.Seq()
}

// readHistory reads what the history lacks of the log, a page at a time.
func (m *model) readHistory() tea.Cmd {
	h := &m.history
	if h.Reading || m.options.Records == nil || h.Seq >= m.newestRecord() {
		return nil
	}
	h.Reading, h.Wanted, h.Trouble = true, true, ""
	ctx, after, read := m.ctx, h.Seq, m.options.Records
	return safely(func() tea.Msg { return readPage(ctx, after, read) })
}

func readPage(ctx context.Context, after lifecycle.Seq, read func(context.Context, lifecycle.Seq, int) ([]lifecycle.Record, error)) historyRead {
	records, err := read(ctx, after, historyPage)
	if err == nil && (len(records) == 0 || records[0].Seq != after+1) {
		err = fmt.Errorf("record %d is missing", after+1)
	}
	if err != nil {
		return historyRead{err: err}
	}
	return historyRead{records: records}
}

// historyRead folds a page, and asks for the next.
func (m *model) historyRead(page historyRead) tea.Cmd {
	h, before := &m.history, m.history.Share(m.newestRecord())
	h.Reading = false
	if page.err != nil {
		h.Trouble = page.err.Error()
	}
	for _, rec := range page.records {
		h.Fold(rec)
	}
	var next tea.Cmd
	if page.err == nil {
		next = m.readHistory()
	}
	if m.timeline != nil && (next == nil || m.history.Share(m.newestRecord()) != before) { // else a long log costs a picture a page
		m.changed()
	}
	return next
}
