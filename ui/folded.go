package ui

import (
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// folding is whether one block shows its details: as the whole screen does, or as
// somebody chose for it alone.
type folding int

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

const (
	asScreen folding = iota
	unfolded         // all of it
	folded           // its first line
)
