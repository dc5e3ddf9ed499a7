package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/draw"
	"pawl/ui/pane"
	"pawl/ui/scroll"
	"pawl/ui/transcript"
)

// view is where a conversation is read.
type view struct {
	scroll.Position
	oldest bool          // on its way to the oldest line, which may have to be read first
	goal   goal          // on its way to a block, which may have to be read first
	since  lifecycle.Seq // what came after it is new to who opened the view; 0: nothing is
}

// goal is the block with a record: where none has it the one before it or, onward, the
// one behind it. The zero goal is none.
type goal struct {
	seq    lifecycle.Seq
	onward bool
}

func (m *model) view() *view { return m.viewOf(m.open) }

func (m *model) viewOf(session lifecycle.SessionID) *view {
	v, ok := m.views[session]
	if !ok {
		v = &view{}
		m.views[session] = v
	}
	return v
}

// column is a conversation as a view scrolls through it.
type column struct {
	m    *model
	talk *transcript.Conversation
	c    draw.Canvas
}

func (m *model) column() *column { return m.columnOf(m.pane()) }

func (m *model) columnOf(p pane.Pane) *column {
	c, _ := m.stageOf(p)
	return &column{m, m.talk(p.Session), c}
}

// Len is how many blocks it has.
func (b *column) Len() int { return len(b.talk.Blocks) }

// Draw draws one of them.
func (b *column) Draw(i int) (gap int, lines []draw.Styled) {
	return b.m.blockLines(b.talk, i, b.c)
}

// Dress marks what is searched for and who reads, and says what is new.
func (b *column) Dress(i, gap int, lines []draw.Styled) (above, dressed []draw.Styled) {
	if gap == aboveNew {
		above = make([]draw.Styled, gap)
		above[saidNew] = b.c.Heading(sinceLooked)
	}
	return above, b.m.dressed(b.talk, i, b.c, lines)
}

// runsOn are the runs that a block's tool call started.
func (m *model) runsOn(talk *transcript.Conversation, i int) []transcript.Card {
	var runs []transcript.Card
	if b := talk.Blocks[i]; b.Kind == transcript.Tool {
		for _, run := range m.runs.Started(talk.Session, b.Call) {
			runs = append(runs, m.cardOf(run))
		}
	}
	return runs
}

// blockLines draws one block with the gap before it.
func (m *model) blockLines(talk *transcript.Conversation, i int, c draw.Canvas) (gap int, lines []draw.Styled) {
	b, runs := talk.Blocks[i], m.runsOn(talk, i)
	lines = b.Lines(b.ForBlock(c), runs)
	if i > 0 && len(lines) > 0 && (!b.Tight() || !talk.Blocks[i-1].Tight()) {
		gap = 1
	}
	if m.beginsNew(talk, i) {
		gap = aboveNew
	}
	return gap, lines
}

// rows is what is in sight.
func (m *model) rows() []scroll.Row {
	_, height := m.stage()
	_, rows := m.window(m.pane(), height)
	return rows
}

// window is the lines of the conversation in a pane, as many as fit a height, and what
// each of them is. It does not leave who reads in it.
func (m *model) window(p pane.Pane, height int) ([]draw.Styled, []scroll.Row) {
	b := m.columnOf(p)
	return m.viewOf(p.Session).Window(b, height, m.readAt(b.talk))
}

// dressed is a block as it is drawn now, with the marks of who reads in it.
func (m *model) dressed(talk *transcript.Conversation, i int, c draw.Canvas, lines []draw.Styled) []draw.Styled {
	if talk.Session != m.open {
		return lines
	}
	lines = m.marked(talk.Blocks[i], lines)
	if m.reader != nil && m.reader.block.Newest() == talk.Blocks[i] {
		return c.MarkLeft(lines)
	}
	return lines
}

// moveView scrolls the conversation in a pane by some lines.
func (m *model) moveView(p pane.Pane, by int) {
	_, height := m.stageOf(p)
	v := m.viewOf(p.Session)
	v.oldest, v.goal = false, goal{}
	v.Move(m.columnOf(p), height, by)
}

// jump holds a line of a block some rows below the top.
func (m *model) jump(block, line, down int) {
	_, height := m.stage()
	v := m.view()
	v.oldest, v.goal = false, goal{}
	v.Jump(m.column(), height, block, line, down)
}

// mark is the record at the top, to find the place again when older blocks have
// come before it.
func (v *view) mark(talk *transcript.Conversation) lifecycle.Seq {
	if !v.Held || v.Block >= len(talk.Blocks) {
		return 0
	}
	return talk.Blocks[v.Block].Seq
}

// find goes to that record again; before is how many blocks there were.
func (v *view) find(talk *transcript.Conversation, at lifecycle.Seq, before int) {
	v.Prepended(len(talk.Blocks) - before)
	if !v.Held || at == 0 {
		return
	}
	if i := slices.IndexFunc(talk.Blocks, func(b *transcript.Block) bool { return b.Seq >= at }); i >= 0 {
		v.Block = i
	}
}

// older is the answer to a wish for older records.
type older struct {
	session lifecycle.SessionID
	records []lifecycle.Record
	err     error
}

// olderWanted is how many records are read at once: some screens' worth.
const olderWanted = 400

// fill reads older records where a conversation that is shown needs them for its pane.
func (m *model) fill() tea.Cmd {
	if m.height == 0 {
		return nil
	}
	var reads []tea.Cmd
	for _, p := range m.panes() {
		_, height := m.stageOf(p)
		if block, line := m.viewOf(p.Session).Top(m.columnOf(p), height); block == 0 && line == 0 {
			reads = append(reads, m.readOlder(p.Session, olderWanted))
		}
	}
	return tea.Batch(reads...)
}

// readOlder reads what comes before the oldest record that is there of a conversation,
// unless there is nothing, or it is on its way.
func (m *model) readOlder(session lifecycle.SessionID, most int) tea.Cmd {
	talk := m.talk(session)
	if talk.Complete || talk.Asked || m.options.Older == nil {
		return nil
	}
	talk.Asked = true
	before := talk.First()
	if before == 0 {
		before = m.options.Snapshot.Seq + 1
	}
	ctx, read := m.ctx, m.options.Older
	return func() tea.Msg {
		records, err := read(ctx, session, before, most)
		return older{session, records, err}
	}
}

func (m *model) older(msg older) tea.Cmd {
	talk := m.talk(msg.session)
	if msg.err != nil {
		talk.Complete = true // asking again would fail again
		m.viewOf(msg.session).goal = goal{}
		m.say(draw.Failure, draw.Sprintf("older messages: %s", sanitize.Line(msg.err.Error())))
		return nil
	}
	talk.Asked = false
	at, blocks := m.viewOf(msg.session).mark(talk), len(talk.Blocks)
	talk.Prepend(msg.records)
	if p, any := m.runs.Progress[m.runs.Latest(msg.session).ID]; any {
		talk.Progress(p, p.At) // it may have come before there was a step to show it in
	}
	m.viewOf(msg.session).find(talk, at, blocks)
	return tea.Batch(m.toOldest(), m.toGoal(), m.searchOn(), m.fill())
}

// page scrolls what is in front by most of its height.
func (m *model) page(by int) tea.Cmd { return m.scroll(by * max(1, m.rowsInFront()-2)) }

// scroll moves what is in front by some lines.
func (m *model) scroll(by int) tea.Cmd {
	switch {
	case m.dialog != nil:
		m.dialog.Page.Scroll(by)
	case m.at()&(atQuestion|atReason) != 0:
		m.asking.Body.Scroll(by)
	case m.at() == atPicker:
		return m.slidePicker(by)
	case m.at() == atDenials:
		m.denials.Body.Scroll(by)
	case m.at() == atRewind:
		m.rewinding.Step(by)
	case m.help != nil:
		m.help.Scroll(by)
	case m.dashboard != nil:
		return m.moveRow(by)
	case m.changes != nil:
		return m.inChanges(func(v *changes.View) { v.Step(by) })
	default:
		return m.scrollPane(m.pane(), by)
	}
	return nil
}

// scrollPane scrolls the conversation in a pane by some lines.
func (m *model) scrollPane(p pane.Pane, by int) tea.Cmd {
	m.moveView(p, by)
	if p.Session == m.open {
		m.refocus()
	}
	return m.fill()
}

func (m *model) toEnd() tea.Cmd {
	m.view().Held = false
	m.refocus()
	return nil
}

// rowsInFront is how many rows of what scrolls are seen.
func (m *model) rowsInFront() int {
	switch {
	case m.dialog != nil:
		return m.dialog.Page.Height()
	case m.at()&(atQuestion|atReason) != 0:
		return m.asking.Body.Height()
	}
	return m.picture.room
}

// heldHint stands while the view does not follow the newest line: the way back to it
// and, once something has come, how much.
func (m *model) heldHint() sanitize.Text {
	n := m.view().News(m.column())
	switch {
	case n == 0:
		return "ctrl+end newest"
	case n >= scroll.MostNews:
		return draw.Sprintf("%d+ new lines below  ctrl+end", scroll.MostNews)
	}
	return draw.Sprintf("%s below  ctrl+end", words.Count(n, "new line"))
}
