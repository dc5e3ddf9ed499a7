package transcript

import (
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Folding is whether one block shows its details: as the whole screen does, or as
// somebody chose for it alone.
type Folding int

// ForBlock is the canvas of a block, with what was chosen for it alone.
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

// FoldAs chooses for one block.
func (b *Block) FoldAs(f Folding) {
	if b.Folding != f {
		b.Folding = f
		b.Changed()
	}
}

// Inherit gives the blocks that were folded anew what belonged to the screen in
// the old ones: they are known again by their record, their kind and their place
// among those that share both.
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

// blockName tells most blocks of a conversation apart.
type blockName struct {
	seq  lifecycle.Seq
	kind blockKind
}

// Newest is the block that has taken this one's place; it is mostly itself.
func (b *Block) Newest() *Block {
	for b.heir != nil {
		b = b.heir
	}
	return b
}

// How a block is folded.
const (
	AsScreen Folding = iota
	Unfolded         // all of it
	Folded           // its first line
)
