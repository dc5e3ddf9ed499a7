package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/ui/draw"
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
