package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Keys are the fields of an event that a provider reads, by name. nil stands for a field
// whose content is not checked: a string, a number, the arguments of a call. Lists are
// checked element by element.
//
// Unlisted fields are skipped, because servers add some. But a name that differs by one byte
// from a listed one that is missing is damaged: ignoring it would silently lose its content.
type Keys map[string]Keys

// KeysOf returns the fields from which a type is decoded, by their JSON names.
func KeysOf[T any]() Keys { return keysOf(reflect.TypeFor[T]()) }

func keysOf(t reflect.Type) Keys {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return keysOf(t.Elem())
	case reflect.Struct:
		keys := Keys{}
		for field := range t.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
				keys[name] = keysOf(field.Type)
			}
		}
		return keys
	default: // a value, or JSON that is not looked into
		return nil
	}
}

// check refuses an event that is not JSON, not UTF-8, or damaged.
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

// checkValue skips a value and checks what it contains.
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

// byteOff reports whether name is known with one byte changed, lost or inserted. A byte
// changed to a backslash merges with the next one.
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
