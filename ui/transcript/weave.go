package transcript

import (
	"slices"
)

// weave inserts the remarks between the blocks after these were folded again.
func (c *Conversation) weave() {
	for _, b := range c.Remarks {
		at := slices.IndexFunc(c.Blocks, func(other *Block) bool { return other.Seq > b.Seq })
		if at < 0 {
			at = len(c.Blocks)
		}
		c.Blocks = slices.Insert(c.Blocks, at, b)
	}
}
