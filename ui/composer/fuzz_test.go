package composer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is done to a line: the cursor and the folds stand between characters,
// the rows are those of a line that never had others, and all of it can be undone.
func FuzzComposer(f *testing.F) {
	f.Add([]byte("\x00hello world\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Add([]byte("00000 000\x0f\x09\x01")) // a wrap that what came after the next row decided
	f.Add([]byte("\x0e\x0e\x10\x00a\x0f\x0e\x05\x05\x09\x0b\x0d\x0d"))
	f.Fuzz(func(t *testing.T, deeds []byte) {
		c := &Composer{Goal: -1}
		width := 12
		for _, deed := range deeds {
			c.do(deed)
			require.LessOrEqual(t, c.At, len(c.Text))
			_, in := c.fold(c.At)
			require.True(t, !in || c.outside(c.At, 1) == c.At, "the cursor is in a folded paste")
			end := 0
			for _, ch := range c.Chips {
				require.LessOrEqual(t, end, ch.Start)
				require.Less(t, ch.Start, ch.End)
				require.LessOrEqual(t, ch.End, len(c.Text))
				end = ch.End
			}
			fresh := &Composer{Piece: c.Piece}
			require.Equal(t, fresh.Rows(width), c.Rows(width), "%q", c.Text)
			c.Place(c.Rows(width), width)
		}
		for c.Undo() {
			c.Rows(width)
		}
		if len(deeds) < undoable {
			require.Empty(t, c.Text)
			require.Empty(t, c.Chips)
		}
	})
}

func (c *Composer) do(deed byte) {
	deeds := []func(){
		func() { c.Insert("é漢") }, func() { c.Insert(" ") }, func() { c.Insert("\n") }, func() { c.Insert("long words\tin a row ") },
		func() { c.Delete(c.Before(c.At), c.At, false) }, func() { c.Delete(c.At, c.After(c.At), false) },
		func() { c.Delete(c.WordLeft(c.At, NonSpace), c.At, true) }, func() { c.Delete(c.At, c.WordRight(c.At, WordRune), true) },
		func() { c.Delete(c.LineStart(c.At), c.At, true) }, func() { c.Move(c.Before(c.At)) }, func() { c.Move(c.LineStart(c.At)) },
		func() { c.Vertical(-1, 12) }, func() { c.Vertical(1, 12) }, func() { c.Recase(strings.ToUpper) },
		func() { c.Paste(strings.Repeat("p\n", 11)) }, func() { c.Paste(strings.Repeat("\u0301q", 1001)) }, c.Yank, c.YankOlder,
		func() {
			if i, there := c.ChipAtCursor(); there {
				c.Toggle(i)
			}
		},
		func() { c.Move(len(c.Text) / 2) },
	}
	if i := int(deed); i < len(deeds) {
		deeds[i]()
		return
	}
	c.Insert(string(rune(deed)))
}
