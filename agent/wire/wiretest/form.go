package wiretest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// sameForm reports whether two streams differ only in the values of strings and numbers:
// they have the same lines with the same fields, and the same JSON with the same names.
// Such damage cannot be detected without the original. Arguments that are JSON rather than
// strings are values, names included.
func (b Bench) sameForm(one, other string) bool {
	lines, others := strings.Split(one, "\n"), strings.Split(other, "\n")
	if len(lines) != len(others) {
		return false
	}
	for i := range lines {
		if lines[i] == others[i] {
			continue
		}
		data, isData := strings.CutPrefix(lines[i], "data:")
		with, withData := strings.CutPrefix(others[i], "data:")
		if !isData || !withData {
			return false
		}
		form, ok := b.form(data)
		otherForm, otherOK := b.form(with)
		if !ok || !otherOK || !reflect.DeepEqual(form, otherForm) {
			return false
		}
	}
	return true
}

// form is JSON without its values. ok is false if it is invalid.
func (b Bench) form(data string) (form any, ok bool) {
	if !utf8.ValidString(data) || json.Unmarshal([]byte(data), &form) != nil {
		return nil, false
	}
	return b.hollow(form), true
}

func (b Bench) hollow(v any) any {
	switch v := v.(type) {
	case string:
		return "text"
	case float64:
		return "number"
	case []any:
		for i := range v {
			v[i] = b.hollow(v[i])
		}
	case map[string]any:
		for name := range v {
			if slices.Contains(b.Opaque, name) {
				v[name] = "arguments"
				continue
			}
			v[name] = b.hollow(v[name])
		}
	}
	return v
}
