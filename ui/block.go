package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// turn opens a block, or folds it where opening it shows no more. It reports
// whether either made a difference.
func (m *model) turn(talk *transcript.Conversation, i int) bool {
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

// asOne takes back what was chosen for single blocks: Ctrl+O speaks for all.
func (m *model) asOne() {
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
	return m.turnBlock()
}

// turnBlock opens or folds the block with the focus where it stands.
func (m *model) turnBlock() tea.Cmd {
	m.disarm()
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	if !m.turn(talk, i) {
		m.say(draw.Quiet, "everything is shown")
	}
	m.bring(talk, i, 0)
	m.changed()
	return nil
}

// copyBlock gives the terminal's clipboard what the block with the focus holds.
func (m *model) copyBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(talk.Blocks[i].Source(m.runsOn(talk, i)), "nothing in it to copy")
}

// copyCode copies the blocks of code of an answer alone.
func (m *model) copyCode() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(transcript.CodeOf(talk.Blocks[i].Source(m.runsOn(talk, i))), "no code in it; y copies all of it")
}

// clip sends text to the clipboard, or says why there is none.
func (m *model) clip(text string, none sanitize.Text) tea.Cmd {
	m.disarm()
	clipping := sanitize.Paste(text)
	if text = strings.TrimSpace(string(clipping)); text == "" {
		m.say(draw.Quiet, none)
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("copied %s", words.Count(strings.Count(text, "\n")+1, "line")))
	return terminal.Copy(clipping)
}
