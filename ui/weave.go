package ui

import (
	"slices"
)

// weave puts the remarks back between the blocks, after these were folded anew.
func (c *conversation) weave() {
	for _, b := range c.remarks {
		at := slices.IndexFunc(c.blocks, func(other *block) bool { return other.seq > b.seq })
		if at < 0 {
			at = len(c.blocks)
		}
		c.blocks = slices.Insert(c.blocks, at, b)
	}
}
