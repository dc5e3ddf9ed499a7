package ui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/dashboard"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/timeline"
	"pawl/ui/transcript"
)

func dashboardKeys() []binding {
	row := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.moveRow(by) } }
	page := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.moveRow(by * m.dashboard.Page()) }
	}
	on := func(change func(*timeline.View, timeline.Session)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd {
			change(&m.dashboard.Lanes, m.dashboard.Over(m.boardSource()))
			return nil
		}
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
		{keys: []string{"ctrl+t"}, at: working | atQuestion, do: (*model).toggleDashboard, help: "the dashboard: all runs of the session, in a table and over time"},
		{keys: []string{"esc"}, at: atDashboard, do: (*model).escDashboard, show: "esc, ctrl+t", help: "clear the filter, else close it"},
		{keys: []string{"ctrl+t", "ctrl+c", "q"}, at: atDashboard, do: (*model).closeDashboard},
		{keys: []string{"up", "k"}, at: atDashboard, moves: true, do: row(-1), show: "↑, ↓, pgup, pgdn", help: "previous or next run; a click, the wheel"},
		{keys: []string{"down", "j"}, at: atDashboard, moves: true, do: row(1)},
		{keys: []string{"up"}, at: atFilter, do: row(-1)},
		{keys: []string{"down"}, at: atFilter, do: row(1)},
		{keys: []string{"pgup"}, at: atDashboard | atFilter, do: page(-1)},
		{keys: []string{"pgdown"}, at: atDashboard | atFilter, do: page(1)},
		{keys: []string{"tab"}, at: atDashboard, do: (*model).nextAsker, help: "the next run that asks you; its question is answered as everywhere"},
		{keys: []string{"s"}, at: atDashboard, do: func(m *model) tea.Cmd { return m.reorder(1) }, show: "s, S", help: "sort by need, start, name, type, time, tokens or cost"},
		{keys: []string{"S"}, at: atDashboard, do: func(m *model) tea.Cmd { return m.reorder(-1) }},
		{keys: []string{"/"}, at: atDashboard, leads: true, do: (*model).typeFilter, help: "show only runs whose name, type, model or state has what you type"},
		{keys: []string{"/"}, at: atQuestion, when: (*model).onDashboard, leads: true, do: (*model).typeFilter},
		{keys: []string{"enter"}, at: atFilter, do: (*model).leaveFilter},
		{keys: []string{"esc", "ctrl+c"}, at: atFilter, do: (*model).escDashboard},
		{keys: []string{"backspace", "ctrl+h", "shift+backspace"}, at: atFilter, do: eraseFilter(lastLetter)},
		{keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, at: atFilter, do: eraseFilter(lastWord)},
		{keys: []string{"ctrl+u"}, at: atFilter, do: eraseFilter(func(string) int { return 0 })},
		{keys: []string{"left", "h"}, at: atDashboard, moves: true, do: step(-1), show: "←, →", help: "from mark to mark in its lane; past the newest: follow what comes"},
		{keys: []string{"right", "l"}, at: atDashboard, moves: true, do: step(1)},
		{keys: []string{"home"}, at: atDashboard, do: on((*timeline.View).FirstMark), show: "home, end", help: "the oldest mark; the right edge"},
		{keys: []string{"end"}, at: atDashboard, do: on(edge)},
		{keys: []string{"+", "="}, at: atDashboard, moves: true, do: near(1), show: "+, -, 0", help: "zoom in and out around the cursor; the whole"},
		{keys: []string{"-"}, at: atDashboard, moves: true, do: near(-1)},
		{keys: []string{"0"}, at: atDashboard, moves: true, do: on(whole)},
		{keys: []string{"enter"}, at: atDashboard, do: (*model).openLane, help: "open its session, at the mark; the other keys are those of a subagent's line"},
	}
}

func (m *model) openDashboard() tea.Cmd {
	if m.runs.Latest(m.runs.Root()).ID == "" && m.options.Snapshot.Seq == 0 {
		m.say(draw.Quiet, "nothing has run yet")
		return nil
	}
	session := m.target()
	if q, _, any := m.front(); any && !m.recorded() {
		session = q.Session
	}
	m.dashboard = &dashboard.Board{Lanes: timeline.View{Session: session}, Order: m.boardOrder}
	return tea.Batch(m.readHistory(), m.readTail())
}

// toggleDashboard opens the dashboard, or closes it where a question has the other keys.
func (m *model) toggleDashboard() tea.Cmd {
	if m.dashboard != nil {
		return m.closeDashboard()
	}
	return m.openDashboard()
}

func (m *model) closeDashboard() tea.Cmd {
	m.dashboard = nil
	return nil
}

// escDashboard clears the filter or, where there is none, closes the dashboard.
func (m *model) escDashboard() tea.Cmd {
	if !m.dashboard.Clear() {
		return m.closeDashboard()
	}
	return nil
}

// boardSource is what the dashboard reads now.
func (m *model) boardSource() dashboard.Source {
	return dashboard.Source{
		Session: timeline.Session{Runs: m.runs, History: &m.history.History, Now: m.clock.Read(), Newest: m.newestRecord()},
		Log:     &m.history, Stamp: m.boardStamp,
		Card: func(session lifecycle.SessionID) transcript.Card { return m.newestCard(m.runs.Latest(session)) },
		Away: m.putAway,
	}
}

// renderDashboard draws it where the conversation stands otherwise.
func (m *model) renderDashboard(c draw.Canvas, height int) []draw.Styled {
	lines, x := m.dashboard.Render(c, m.boardSource(), height, m.boardDetail)
	m.picture.filter = x
	return lines
}

// boardDetail is the selected run in full.
func (m *model) boardDetail() dashboard.Detail {
	session := m.target()
	d := dashboard.Detail{Card: m.newestCard(m.runs.Latest(session)), Work: m.history.Work(session)}
	d.Tail = func(c draw.Canvas, height int) []draw.Styled { return m.tail(session, c, height) }
	if m.at() == atDashboard && !m.recorded() {
		d.Actions = func(c draw.Canvas) draw.Styled { return dock.Keys(c, m.actionsOn(d.Card.Run)) }
	}
	if m.asksBeside() {
		d.Question = func(c draw.Canvas, height int) []draw.Styled { return m.renderQuestion(c, height, nil) }
	}
	return d
}

// asksBeside reports whether the question in front stands in the run that asks, beside the others.
func (m *model) asksBeside() bool {
	const below = 2 // the rule and the status line
	return m.dashboard != nil && dashboard.Beside(m.width-1, m.height-below) && m.at() == atQuestion && m.line().Empty()
}

// tail draws the last lines of a conversation.
func (m *model) tail(session lifecycle.SessionID, c draw.Canvas, height int) []draw.Styled {
	talk := m.talk(session)
	var lines []draw.Styled
	for i := len(talk.Blocks) - 1; i >= 0 && len(lines) < height; i-- {
		gap, block := m.blockLines(talk, i, c)
		if len(block) > 0 {
			lines = slices.Concat(make([]draw.Styled, min(gap, 1)), block, lines)
		}
	}
	return lines[max(0, len(lines)-height):]
}

// readTail reads the newest records of the selected session, where an old session has none of
// them yet.
func (m *model) readTail() tea.Cmd {
	session := m.target()
	talk := m.talk(session)
	if session == "" || len(talk.Blocks) > 0 {
		return nil
	}
	return m.readOlder(session, olderWanted)
}

// moveRow selects another run.
func (m *model) moveRow(by int) tea.Cmd {
	m.dashboard.Move(m.boardSource(), by)
	m.expect()
	return m.readTail()
}

// nextAsker selects the next run that asks.
func (m *model) nextAsker() tea.Cmd {
	all := m.runs.Questions()
	if len(all) == 0 || m.recorded() {
		m.say(draw.Quiet, "no run asks you anything")
		return nil
	}
	at := slices.IndexFunc(all, func(q lifecycle.Question) bool { return q.ID == m.asking.Question })
	return m.showAsker(all[max(0, at)].Session)
}

// showAsker selects the run of the question in front, whatever the filter keeps.
func (m *model) showAsker(session lifecycle.SessionID) tea.Cmd {
	m.dashboard.Show(m.boardSource(), session)
	return m.readTail()
}

func (m *model) reorder(by int) tea.Cmd {
	m.dashboard.Reorder(by)
	m.boardOrder = m.dashboard.Order
	return nil
}

func (m *model) typeFilter() tea.Cmd {
	m.dashboard.Typing = true
	return nil
}

// leaveFilter gives the keys back to the rows that are kept.
func (m *model) leaveFilter() tea.Cmd {
	m.dashboard.Typing = false
	return nil
}

// filter keeps other rows.
func (m *model) filter(words string) tea.Cmd {
	m.dashboard.Filter = words
	m.dashboard.Selected(m.boardSource())
	return m.readTail()
}

func eraseFilter(start func(string) int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd { return m.filter(m.dashboard.Filter[:start(m.dashboard.Filter)]) }
}

// openLane opens the selected session: at the mark with the cursor, else where it was left.
func (m *model) openLane() tea.Cmd {
	session := m.target()
	if session == "" {
		return nil
	}
	mark, on := m.dashboard.Lanes.Cursor(m.dashboard.Over(m.boardSource()))
	m.dashboard = nil
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
	return func() tea.Msg { return readPage(ctx, after, read) }
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

// historyRead folds a page, and asks for the next. The picture is said to stay the same where nothing of the
// page is on it: else a long log costs a picture a page.
func (m *model) historyRead(page historyRead) (next tea.Cmd, same bool) {
	h, before := &m.history, m.history.Share(m.newestRecord())
	h.Reading = false
	if page.err != nil {
		h.Trouble = page.err.Error()
	}
	for _, rec := range page.records {
		if m.recorded() && rec.Seq > m.newestRecord() {
			break // a replay has not come to it
		}
		h.Fold(rec)
	}
	if page.err == nil {
		next = m.readHistory()
	}
	return next, m.dashboard == nil || next != nil && m.history.Share(m.newestRecord()) == before
}
