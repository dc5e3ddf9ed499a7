package composer

import (
	"strings"

	"pawl/agent/sanitize"
)

// Edit is a change that keys of readline make, with what a help says of them; without words it
// stands in none.
type Edit struct {
	Keys       []string
	Show, Help sanitize.Text
	Do         func(*Composer)
}

// Edits are the changes that every line has. Ctrl+D is none of them: on an empty line it is its
// owner's.
func Edits() []Edit {
	var edits []Edit
	add := func(show, help sanitize.Text, do func(*Composer), keys ...string) {
		edits = append(edits, Edit{keys, show, help, do})
	}
	add("←, →", "a character", func(c *Composer) { c.Move(c.Before(c.At)) }, "left", "ctrl+b")
	add("", "", func(c *Composer) { c.Move(c.After(c.At)) }, "right", "ctrl+f")
	add("alt+b, alt+f", "a word", func(c *Composer) { c.Move(c.WordLeft(c.At, WordRune)) }, "alt+b", "alt+left", "ctrl+left")
	add("", "", func(c *Composer) { c.Move(c.WordRight(c.At, WordRune)) }, "alt+f", "alt+right", "ctrl+right")
	add("ctrl+a, ctrl+e", "the ends of the line", func(c *Composer) { c.Move(c.LineStart(c.At)) }, "ctrl+a", "home")
	add("", "", func(c *Composer) { c.Move(c.LineEnd(c.At)) }, "ctrl+e", "end")
	add("alt+<, alt+>", "the ends of the text", func(c *Composer) { c.Move(0) }, "alt+<", "alt+shift+,")
	add("", "", func(c *Composer) { c.Move(len(c.Text)) }, "alt+>", "alt+shift+.")
	add("", "", func(c *Composer) { c.Delete(c.Before(c.At), c.At, false) }, "backspace", "ctrl+h", "shift+backspace")
	add("", "", DeleteForward, "delete")
	add("ctrl+w", "cut what stands before, to a space", func(c *Composer) { c.Delete(c.WordLeft(c.At, NonSpace), c.At, true) }, "ctrl+w")
	add("alt+backspace", "cut the word before; alt+d: after", func(c *Composer) { c.Delete(c.WordLeft(c.At, WordRune), c.At, true) }, "alt+backspace", "ctrl+backspace", "ctrl+alt+h")
	add("", "", func(c *Composer) { c.Delete(c.At, c.WordRight(c.At, WordRune), true) }, "alt+d", "alt+delete", "ctrl+delete")
	add("ctrl+u, ctrl+k", "cut to the start or the end of the line", func(c *Composer) { c.Delete(c.LineStart(c.At), c.At, true) }, "ctrl+u")
	add("", "", func(c *Composer) { c.Delete(c.At, c.LineEnd(c.At), true) }, "ctrl+k")
	add("alt+u, alt+l, alt+c", "the word in capitals, small, with a capital", func(c *Composer) { c.Recase(strings.ToUpper) }, "alt+u")
	add("", "", func(c *Composer) { c.Recase(strings.ToLower) }, "alt+l")
	add("", "", func(c *Composer) { c.Recase(Capitalize) }, "alt+c")
	add("alt+y", "after ctrl+y: what was cut before that", (*Composer).YankOlder, "alt+y")
	return edits
}

// DeleteForward deletes the character behind the cursor.
func DeleteForward(c *Composer) { c.Delete(c.At, c.After(c.At), false) }
