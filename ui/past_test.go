package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUndoHoldsSoMuchAndNotMore(t *testing.T) {
	c := &composer{goal: -1}
	for range 2 * undoable {
		c.insert("ab")
	}
	require.Len(t, c.past.edits, undoable)
	for range 5 {
		c.replace(piece{text: strings.Repeat("x", undoableBytes/2)})
		c.replace(piece{})
	}
	require.LessOrEqual(t, c.past.bytes, undoableBytes)
	require.True(t, c.undo())
}
