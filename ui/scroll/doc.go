// Package scroll keeps the scroll position of a view over a column of blocks, which may be
// long, and draws only the blocks that are visible.
package scroll
