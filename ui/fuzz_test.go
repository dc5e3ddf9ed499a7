package ui

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
		c := &composer{goal: -1}
		width := 12
		for _, deed := range deeds {
			c.do(deed)
			require.LessOrEqual(t, c.at, len(c.text))
			_, in := c.fold(c.at)
			require.True(t, !in || c.outside(c.at, 1) == c.at, "the cursor is in a folded paste")
			end := 0
			for _, ch := range c.chips {
				require.LessOrEqual(t, end, ch.start)
				require.Less(t, ch.start, ch.end)
				require.LessOrEqual(t, ch.end, len(c.text))
				end = ch.end
			}
			fresh := &composer{piece: c.piece}
			require.Equal(t, fresh.rows(width), c.rows(width), "%q", c.text)
			c.place(c.rows(width), width)
		}
		for c.undo() {
			c.rows(width)
		}
		if len(deeds) < undoable {
			require.Empty(t, c.text)
			require.Empty(t, c.chips)
		}
	})
}

func (c *composer) do(deed byte) {
	deeds := []func(){
		func() { c.insert("é漢") }, func() { c.insert(" ") }, func() { c.insert("\n") }, func() { c.insert("long words\tin a row ") },
		func() { c.delete(c.before(c.at), c.at, false) }, func() { c.delete(c.at, c.after(c.at), false) },
		func() { c.delete(c.wordLeft(c.at, spaced), c.at, true) }, func() { c.delete(c.at, c.wordRight(c.at, worded), true) },
		func() { c.delete(c.lineStart(c.at), c.at, true) }, func() { c.move(c.before(c.at)) }, func() { c.move(c.lineStart(c.at)) },
		func() { c.vertical(-1, 12) }, func() { c.vertical(1, 12) }, func() { c.recase(strings.ToUpper) },
		func() { c.paste(strings.Repeat("p\n", 11)) }, func() { c.paste(strings.Repeat("\u0301q", 1001)) }, c.bringBack, c.bringOlder,
		func() {
			if i, there := c.touched(); there {
				c.turn(i)
			}
		},
		func() { c.move(len(c.text) / 2) },
	}
	if i := int(deed); i < len(deeds) {
		deeds[i]()
		return
	}
	c.insert(string(rune(deed)))
}
