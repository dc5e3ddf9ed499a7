package wire

import "encoding/json"

// cursor walks over JSON that is known to be valid, and copies nothing of it: every
// piece of an answer is such a text, and an answer has thousands.
type cursor struct {
	data []byte
	at   int
}

// next passes over white space and gives what follows it, 0 at the end.
func (c *cursor) next() byte {
	for ; c.at < len(c.data); c.at++ {
		switch b := c.data[c.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// enter passes over the bracket that opens a list or an object.
func (c *cursor) enter() { c.at++ }

// more goes to the next value of a list, or name of an object, and reports whether
// there is one. If not it passes over the bracket that closes.
func (c *cursor) more() bool {
	b := c.next()
	if b == ',' {
		c.at++
		b = c.next()
	}
	if b == ']' || b == '}' {
		c.at++
		return false
	}
	return b != 0
}

// name passes over a name and its colon, and gives it as it is meant.
func (c *cursor) name() []byte {
	from := c.at
	plain := c.skipString()
	name := c.data[from+1 : c.at-1]
	if !plain {
		var meant string
		_ = json.Unmarshal(c.data[from:c.at], &meant) // it is valid
		name = []byte(meant)
	}
	c.next()
	c.at++
	return name
}

// skipString passes over a string. plain says that there is no escape in it.
func (c *cursor) skipString() (plain bool) {
	plain = true
	for c.at++; c.data[c.at] != '"'; c.at++ {
		if c.data[c.at] == '\\' {
			c.at++
			plain = false
		}
	}
	c.at++
	return plain
}

// skip passes over a value, whatever it is.
func (c *cursor) skip() {
	depth := 0
	for c.next() != 0 {
		switch c.data[c.at] {
		case '"':
			c.skipString()
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			depth--
			c.at++
		case ',', ':':
			c.at++
		default:
			c.skipWord()
		}
		if depth <= 0 {
			return
		}
	}
}

// skipWord passes over a number, or one of the three words.
func (c *cursor) skipWord() {
	for ; c.at < len(c.data); c.at++ {
		switch c.data[c.at] {
		case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
			return
		}
	}
}

// has reports whether the object at the cursor has a field of this name. The cursor
// stays where it is.
func (c cursor) has(name string) bool {
	for c.enter(); c.more(); c.skip() {
		if string(c.name()) == name {
			return true
		}
	}
	return false
}
