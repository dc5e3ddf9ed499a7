package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// exact says where raw, which was read as v, is not read the same by everybody: an object
// with two members of one name. What the program itself wrote has none, so that only what
// differs from it is looked at.
func exact(raw []byte, v any) error {
	write := func() ([]byte, error) { return json.Marshal(v) }
	if own, is := v.(json.Marshaler); is { // it needs no check by encoding/json: it is compared
		write = own.MarshalJSON
	}
	if again, err := write(); err == nil && bytes.Equal(again, raw) {
		return nil
	}
	return unique(json.NewDecoder(bytes.NewReader(raw)))
}

// foreign says that the values of a member come from models and servers, as those wrote them.
func foreign(name string) bool { return name == "input" || name == "view" || name == "metadata" }

// fields are the names of an open object; nil is a list.
type fields map[string]bool

// unique reads one value and finds the first name that an object has twice. Upper and lower
// case are one, as they are for encoding/json.
func unique(dec *json.Decoder) error {
	var open []fields
	for {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'):
			open = append(open, fields{})
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return nil
		}
		met := open[len(open)-1]
		if met == nil || !dec.More() {
			continue
		}
		if err := met.member(dec); err != nil {
			return err
		}
	}
}

// member reads names, and the values of those that are nobody's business, up to a value
// that is to be looked into.
func (met fields) member(dec *json.Decoder) error {
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)                        // the decoder takes nothing else there
		folded := strings.ToLower(strings.ToUpper(name)) // both: ſ is an s, and K (Kelvin) a k
		if met[folded] {
			return fmt.Errorf("%q appears twice", name)
		}
		met[folded] = true
		if !foreign(name) {
			return nil
		}
		var passed json.RawMessage
		if err := dec.Decode(&passed); err != nil {
			return err
		}
	}
	return nil
}
