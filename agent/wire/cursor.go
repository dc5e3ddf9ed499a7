package wire

import "encoding/json"

// cursor walks over valid JSON without copying it: an answer has thousands of pieces, each
// a JSON text.
type cursor struct {
	data []byte
	at   int
}

// next skips white space and returns the byte after it, 0 at the end.
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

// enter skips the opening bracket of a list or object.
func (c *cursor) enter() { c.at++ }

// more moves to the next value of a list or name of an object, and reports whether there
// is one. If not, it skips the closing bracket.
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

// name skips a name and its colon, and returns the name decoded.
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

// skipString skips a string. plain reports whether it has no escapes.
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

// skip skips a value of any kind.
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

// skipWord skips a number, true, false or null.
func (c *cursor) skipWord() {
	for ; c.at < len(c.data); c.at++ {
		switch c.data[c.at] {
		case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
			return
		}
	}
}

// has reports whether the object at the cursor has a field of this name. The cursor does
// not move.
func (c cursor) has(name string) bool {
	for c.enter(); c.more(); c.skip() {
		if string(c.name()) == name {
			return true
		}
	}
	return false
}
