package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// folding is whether one block shows its details: as the whole screen does, or as
// somebody chose for it alone.
type folding int

const (
	asScreen folding = iota
	unfolded         // all of it
	folded           // its first line
)

// chosen is the canvas of a block, with what was chosen for it alone.
func (b *block) chosen(c draw.Canvas) draw.Canvas {
	switch b.folding {
	case asScreen:
	case unfolded:
		c.Details = true
	case folded:
		c.Details, c.Shut = false, true
	}
	return c
}

// foldAs chooses for one block.
func (b *block) foldAs(f folding) {
	if b.folding != f {
		b.folding = f
		b.changed()
	}
}

// turn opens a block, or folds it where opening it shows no more. It reports
// whether either made a difference.
func (m *model) turn(talk *conversation, i int) bool {
	b := talk.blocks[i]
	c, _ := m.stage()
	_, before := m.blockLines(talk, i, c)
	for _, f := range []folding{unfolded, folded} {
		b.foldAs(f)
		if _, after := m.blockLines(talk, i, c); len(after) != len(before) {
			return true
		}
	}
	b.foldAs(asScreen)
	return false
}

// asOne takes back what was chosen for single blocks: Ctrl+O speaks for all.
func (m *model) asOne() {
	for _, talk := range m.talks {
		for _, b := range talk.blocks {
			b.foldAs(asScreen)
		}
	}
}

// inherit gives the blocks that were folded anew what belonged to the screen in
// the old ones: they are known again by their record, their kind and their place
// among those that share both.
func (c *conversation) inherit(old []*block) {
	type name struct {
		block blockName
		nth   int
	}
	named := func(blocks []*block) map[name]*block {
		all, seen := map[name]*block{}, map[blockName]int{}
		for _, b := range blocks {
			key := blockName{b.seq, b.kind}
			all[name{key, seen[key]}] = b
			seen[key]++
		}
		return all
	}
	now := named(c.blocks)
	for key, was := range named(old) {
		if b := now[key]; b != nil && b != was {
			b.folding, b.sought = was.folding, was.sought
			was.heir = b
		}
	}
}

// blockName tells most blocks of a conversation apart.
type blockName struct {
	seq  lifecycle.Seq
	kind blockKind
}

// today is the block that has taken this one's place; it is mostly itself.
func (b *block) today() *block {
	for b.heir != nil {
		b = b.heir
	}
	return b
}

// openBlock opens the block with the focus: the session of a subagent, else all of
// its text.
func (m *model) openBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	if runs := m.runsOn(talk, i); len(runs) > 0 {
		return m.show(runs[len(runs)-1].run.Session)
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
