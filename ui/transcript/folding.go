package transcript

import (
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Folding says whether a block shows its details: as the whole screen does, or as chosen for it.
type Folding int

// ForBlock is the canvas for a block, with its own folding.
func (b *Block) ForBlock(c draw.Canvas) draw.Canvas {
	switch b.Folding {
	case AsScreen:
	case Unfolded:
		c.Details = true
	case Folded:
		c.Details, c.Shut = false, true
	}
	return c
}

// FoldAs sets the folding of one block.
func (b *Block) FoldAs(f Folding) {
	if b.Folding != f {
		b.Folding = f
		b.Changed()
	}
}

// Inherit copies the screen's state from the old blocks to those folded again: they are matched
// by their record, their kind, and their place among those that share both.
func (c *Conversation) Inherit(old []*Block) {
	type name struct {
		block blockName
		nth   int
	}
	named := func(blocks []*Block) map[name]*Block {
		all, seen := map[name]*Block{}, map[blockName]int{}
		for _, b := range blocks {
			key := blockName{b.Seq, b.Kind}
			all[name{key, seen[key]}] = b
			seen[key]++
		}
		return all
	}
	now := named(c.Blocks)
	for key, was := range named(old) {
		if b := now[key]; b != nil && b != was {
			b.Folding, b.Sought = was.Folding, was.Sought
			was.heir = b
		}
	}
}

// blockName identifies most blocks of a conversation.
type blockName struct {
	seq  lifecycle.Seq
	kind blockKind
}

// Newest is the block that has replaced this one, mostly itself.
func (b *Block) Newest() *Block {
	for b.heir != nil {
		b = b.heir
	}
	return b
}

// The ways to fold a block.
const (
	AsScreen Folding = iota
	Unfolded         // everything
	Folded           // only the first line
)
