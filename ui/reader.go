package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
	"pawl/ui/scroll"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// reader is the focus on one block of the conversation that is shown.
type reader struct {
	block *transcript.Block
	words transcript.Query // of the last search, for n and N
}

// readingKeys lead into the conversation, and from block to block.
func readingKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.nextBlock(by) }
	}
	return []binding{
		{keys: []string{"ctrl+up", "shift+up"}, at: typing | atCard, do: (*model).readBlocks, show: "ctrl+↑, shift+↑", help: "from the composer into the conversation, block by block"},
		{keys: []string{"up", "k"}, at: atBlock, moves: true, do: step(-1), show: "↑, ↓, k, j", help: "previous or next block; past the newest: the composer"},
		{keys: []string{"down", "j"}, at: atBlock, moves: true, do: step(1)},
		{keys: []string{"enter"}, at: atBlock, do: (*model).openBlock, help: "open or fold it; on a subagent: open its session"},
		{keys: []string{"space"}, at: atBlock, do: (*model).toggleFocused, help: "open or fold it where it stands"},
		{keys: []string{"y"}, at: atBlock, do: (*model).copyBlock, help: "copy it as it was written"},
		{keys: []string{"Y"}, at: atBlock, do: (*model).copyCode, help: "copy only the code in it"},
		{keys: []string{"f"}, at: atBlock, do: (*model).forkBlock, help: "on a prompt: go on in a new session from before it"},
		{keys: []string{"esc", "q", "ctrl+c"}, at: atBlock, do: (*model).leaveBlocks, show: "esc, q", help: "back to the composer"},
		{keys: []string{"pgup"}, at: atBlock | atSearch, do: func(m *model) tea.Cmd { return m.page(-1) }},
		{keys: []string{"pgdown"}, at: atBlock | atSearch, do: func(m *model) tea.Cmd { return m.page(1) }},
		{keys: []string{"ctrl+o"}, at: atBlock, do: (*model).foldAround},
		{keys: []string{"?"}, at: atBlock, do: (*model).openHelp},
		{keys: []string{"ctrl+home"}, at: working | atBlock, do: (*model).toStart, help: "to the oldest line"},
		{keys: []string{"ctrl+end"}, at: atBlock, do: (*model).toEnd},
		{at: atBlock, do: (*model).openBlock, show: "a click", help: "the same; in the composer it sets the cursor. Shift+drag selects text"},
	}
}

// readBlocks gives the focus to the newest block in sight.
func (m *model) readBlocks() tea.Cmd {
	rows := m.rows()
	if len(rows) == 0 {
		m.say(draw.Quiet, "nothing to read yet")
		return nil
	}
	m.card = ""
	m.reader = &reader{block: m.talk(m.open).Blocks[rows[len(rows)-1].Block]}
	return nil
}

// stopReading gives the focus back to the line.
func (m *model) stopReading() {
	m.endSearch()
	m.reader = nil
}

func (m *model) leaveBlocks() tea.Cmd {
	m.stopReading()
	return nil
}

// focused is the place of the block with the focus; the newest one's where that is
// gone, -1 where there is none at all.
func (m *model) focused() (*transcript.Conversation, int) {
	talk := m.talk(m.open)
	m.reader.block = m.reader.block.Newest()
	if i := slices.Index(talk.Blocks, m.reader.block); i >= 0 {
		return talk, i
	}
	i := len(talk.Blocks) - 1
	if i >= 0 {
		m.reader.block = talk.Blocks[i]
	}
	return talk, i
}

// readAt is the place of the block with the focus in a conversation that is shown, -1
// without.
func (m *model) readAt(talk *transcript.Conversation) int {
	if m.reader == nil {
		return -1
	}
	return slices.Index(talk.Blocks, m.reader.block.Newest())
}

// refocus takes the focus along when the view was scrolled away from it: to the
// nearest block in sight.
func (m *model) refocus() {
	r := m.reader
	if r == nil {
		return
	}
	talk, at := m.focused()
	m.reader = nil // where the view is without it
	rows := slices.DeleteFunc(m.rows(), func(r scroll.Row) bool { return r.Line < 0 })
	m.reader = r
	switch n := len(rows) - 1; {
	case n < 0:
	case at < rows[0].Block:
		r.block = talk.Blocks[rows[0].Block]
	case at > rows[n].Block:
		r.block = talk.Blocks[rows[n].Block]
	}
}

// nextBlock moves the focus to the next block that shows anything, and the view
// with it. What is longer than the screen is scrolled through first.
func (m *model) nextBlock(by int) tea.Cmd {
	talk, i := m.focused()
	if m.extendsPast(i, by) {
		return m.scroll(by * max(1, m.picture.room/2))
	}
	c, _ := m.stage()
	for i += by; i >= 0 && i < len(talk.Blocks); i += by {
		if _, lines := m.blockLines(talk, i, c); len(lines) > 0 {
			break
		}
	}
	switch {
	case i >= len(talk.Blocks):
		m.view().Held = false
		return m.leaveBlocks()
	case i < 0:
		return m.toStart()
	}
	m.reader.block = talk.Blocks[i]
	m.scrollToBlock(talk, i, by)
	return m.fill()
}

// foldAround opens or folds all blocks and keeps the one with the focus in sight.
func (m *model) foldAround() tea.Cmd {
	m.toggleDetails()
	if talk, i := m.focused(); i >= 0 {
		m.scrollToBlock(talk, i, 0)
	}
	return nil
}

// extendsPast reports whether a block that is in sight goes on past the edge of the
// screen in a direction.
func (m *model) extendsPast(i, by int) bool {
	rows := m.rows()
	at := slices.IndexFunc(rows, func(r scroll.Row) bool { return r.Block == i && r.Line >= 0 })
	if at < 0 {
		return false
	}
	if by < 0 {
		return rows[at].Line > 0
	}
	last := rows[len(rows)-1]
	return last.Block == i && last.Line < last.Of-1
}

// scrollToBlock scrolls as little as it takes to have a block in sight: all of it or, of a
// long one, the end that one comes to. by is where one comes from: 1 from above, -1
// from below, 0 where the focus has not moved.
func (m *model) scrollToBlock(talk *transcript.Conversation, i, by int) {
	rows := m.rows()
	first := slices.ContainsFunc(rows, func(r scroll.Row) bool { return r.Block == i && r.Line == 0 })
	last := slices.ContainsFunc(rows, func(r scroll.Row) bool { return r.Block == i && r.Line == r.Of-1 })
	c, height := m.stage()
	gap, lines := m.blockLines(talk, i, c)
	fits := len(lines) <= height
	if first && last || !fits && (by < 0 && last || by >= 0 && first) {
		return
	}
	if by < 0 && !fits || by > 0 && fits || by == 0 && first && fits {
		m.jump(i, gap+len(lines)-1, height-1)
		return
	}
	m.jump(i, gap, 0)
}

// toStart shows the oldest line that is there, and asks for older ones.
func (m *model) toStart() tea.Cmd {
	talk := m.talk(m.open)
	if len(talk.Blocks) == 0 {
		return m.fill()
	}
	m.jump(0, 0, 0)
	m.view().oldest = !talk.Complete
	if m.reader != nil {
		m.reader.block = talk.Blocks[0]
	}
	return m.readOlder(m.open, searchedAtOnce)
}

// toOldest goes on to the oldest line when older records have come.
func (m *model) toOldest() tea.Cmd {
	if !m.view().oldest {
		return nil
	}
	return m.toStart()
}

// blockHint is what the keys do on the block with the focus.
func (m *model) blockHint() sanitize.Text {
	if m.width < 60 {
		return "enter open  y copy  esc back"
	}
	return "↑ ↓ move  enter open  y copy  / search  esc back"
}

// toggleBlock opens a block, or folds it where opening it shows no more. It reports
// whether either made a difference.
func (m *model) toggleBlock(talk *transcript.Conversation, i int) bool {
	b := talk.Blocks[i]
	c, _ := m.stage()
	_, before := m.blockLines(talk, i, c)
	for _, f := range []transcript.Folding{transcript.Unfolded, transcript.Folded} {
		b.FoldAs(f)
		if _, after := m.blockLines(talk, i, c); len(after) != len(before) {
			return true
		}
	}
	b.FoldAs(transcript.AsScreen)
	return false
}

// foldAsScreen takes back what was chosen for single blocks: Ctrl+O speaks for all.
func (m *model) foldAsScreen() {
	for _, talk := range m.talks {
		for _, b := range talk.Blocks {
			b.FoldAs(transcript.AsScreen)
		}
	}
}

// openBlock opens the block with the focus: the session of a subagent, else all of
// its text.
func (m *model) openBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	if runs := m.runsOn(talk, i); len(runs) > 0 {
		return m.show(runs[len(runs)-1].Run.Session)
	}
	return m.toggleFocused()
}

// toggleFocused opens or folds the block with the focus where it stands.
func (m *model) toggleFocused() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	if !m.toggleBlock(talk, i) {
		m.say(draw.Quiet, "everything is shown")
	}
	m.scrollToBlock(talk, i, 0)
	return nil
}

// copyBlock gives the terminal's clipboard what the block with the focus holds.
func (m *model) copyBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.copyText(talk.Blocks[i].Source(m.runsOn(talk, i)), "nothing in it to copy")
}

// copyCode copies the blocks of code of an answer alone.
func (m *model) copyCode() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.copyText(transcript.CodeOf(talk.Blocks[i].Source(m.runsOn(talk, i))), "no code in it; y copies all of it")
}

// copyText sends text to the clipboard, or says why there is none.
func (m *model) copyText(text string, none sanitize.Text) tea.Cmd {
	clipping := sanitize.Paste(text)
	if text = strings.TrimSpace(string(clipping)); text == "" {
		m.say(draw.Quiet, none)
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("copied %s", words.Count(strings.Count(text, "\n")+1, "line")))
	return terminal.Copy(clipping)
}
