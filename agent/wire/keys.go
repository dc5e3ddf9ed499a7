package wire

import (
	"bytes"
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
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if !utf8.Valid(data) {
		return errDamaged
	}
	return k.inside(raw)
}

func (k Keys) inside(raw json.RawMessage) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case k == nil || len(raw) == 0:
		return nil
	case raw[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		for _, one := range list {
			if err := k.inside(one); err != nil {
				return err
			}
		}
	case raw[0] == '{':
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		return k.fields(fields)
	}
	return nil
}

func (k Keys) fields(fields map[string]json.RawMessage) error {
	for name, value := range fields {
		if inner, known := k[name]; known {
			if err := inner.inside(value); err != nil {
				return err
			}
			continue
		}
		for known := range k {
			if _, there := fields[known]; !there && byteOff(name, known) {
				return errDamaged
			}
		}
	}
	return nil
}

// byteOff says whether name is known with one byte changed, lost or put in. A
// byte that became a backslash makes one of two with the next.
func byteOff(name, known string) bool {
	i := 0
	for i < len(name) && i < len(known) && name[i] == known[i] {
		i++
	}
	switch len(name) - len(known) {
	case 0:
		return i < len(name) && name[i+1:] == known[i+1:]
	case 1:
		return name[i+1:] == known[i:]
	case -1:
		return name[i:] == known[i+1:] || i < len(name) && name[i+1:] == known[i+2:]
	}
	return false
}
