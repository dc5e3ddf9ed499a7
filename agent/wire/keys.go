package wire

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Keys are the fields that a provider reads of an event, by their names; nil
// stands for a field whose inside is no matter of form: a text, a number, the
// arguments of a call. Lists are passed through to what they hold.
//
// Fields that are not listed are passed over, for servers add some. But one that
// is a single byte off a listed one that is missing beside it is that one,
// damaged: reading on would silently lose what it held.
type Keys map[string]Keys

// check refuses an event that is no JSON, no UTF-8, or damaged.
func (k Keys) check(data []byte) error {
	if !json.Valid(data) {
		var none json.RawMessage
		return fmt.Errorf("%w: %w", ErrUnreadable, json.Unmarshal(data, &none))
	}
	if !utf8.Valid(data) {
		return errDamaged
	}
	return k.checkValue(&cursor{data: data})
}

// checkValue passes over a value and checks what it holds.
func (k Keys) checkValue(c *cursor) error {
	switch b := c.next(); {
	case k != nil && b == '[':
		for c.enter(); c.more(); {
			if err := k.checkValue(c); err != nil {
				return err
			}
		}
	case k != nil && b == '{':
		return k.checkFields(c)
	default:
		c.skip()
	}
	return nil
}

func (k Keys) checkFields(c *cursor) error {
	object := *c
	for c.enter(); c.more(); {
		name := c.name()
		inner, known := k[string(name)]
		if err := inner.checkValue(c); err != nil {
			return err
		}
		if known {
			continue
		}
		for known := range k {
			if byteOff(name, known) && !object.has(known) {
				return errDamaged
			}
		}
	}
	return nil
}

// byteOff says whether name is known with one byte changed, lost or put in. A
// byte that became a backslash makes one of two with the next.
func byteOff[T ~string | ~[]byte](name T, known string) bool {
	i := 0
	for i < len(name) && i < len(known) && name[i] == known[i] {
		i++
	}
	switch len(name) - len(known) {
	case 0:
		return i < len(name) && string(name[i+1:]) == known[i+1:]
	case 1:
		return string(name[i+1:]) == known[i:]
	case -1:
		return string(name[i:]) == known[i+1:] || i < len(name) && string(name[i+1:]) == known[i+2:]
	}
	return false
}
