package composer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUndoHoldsSoMuchAndNotMore(t *testing.T) {
	c := &Composer{Goal: -1}
	for range 2 * undoable {
		c.Insert("ab")
	}
	require.Len(t, c.past.edits, undoable)
	for range 5 {
		c.Replace(Piece{Text: strings.Repeat("x", undoableBytes/2)})
		c.Replace(Piece{})
	}
	require.LessOrEqual(t, c.past.bytes, undoableBytes)
	require.True(t, c.Undo())
}
