package tools

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"pawl/internal/words"
	"pawl/tools/outputs"
)

// leastCut is the shortest text that is still cut: shorter ones do not make an object long by themselves.
const leastCut = resultText / 16

// shortenObject cuts the longest of an object's texts, however deep, until the object is short enough.
// It says no where texts are not what makes the object long.
func shortenObject(whole string, keep func(string) outputs.Kept) (string, bool) {
	object, ok := parseJSON([]byte(whole))
	if !ok || object.kind != '{' {
		return "", false
	}
	var texts []*jsonValue
	object.eachText(func(text *jsonValue) { texts = append(texts, text) })
	for len(texts) > 0 {
		longest := 0
		for i := range texts {
			if len(texts[i].raw) > len(texts[longest].raw) {
				longest = i
			}
		}
		var text string
		if json.Unmarshal(texts[longest].raw, &text) != nil || utf8.RuneCountInString(text) < leastCut {
			return "", false
		}
		kept := keep(text)
		// Written as JSON a text is longer than its characters: try, and take less.
		for most := utf8.RuneCountInString(text); most >= leastCut; most = most * 3 / 4 {
			texts[longest].raw = json.RawMessage(marshal(middleOut(text, most, kept)))
			if short := object.String(); words.First(short, resultText) == short {
				return short, true
			}
		}
		texts = append(texts[:longest], texts[longest+1:]...)
	}
	return "", false
}

// jsonValue is a JSON value as it was written: names twice, numbers and order stay.
type jsonValue struct {
	kind  byte            // '{', '[' or 0
	raw   json.RawMessage // where the kind is 0
	parts []*jsonValue    // of an object each name and then its value
}

func parseJSON(raw json.RawMessage) (*jsonValue, bool) {
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	start, err := decoder.Token()
	open, compound := start.(json.Delim)
	if err != nil || !compound {
		return &jsonValue{raw: raw}, err == nil
	}
	v := &jsonValue{kind: byte(open)}
	for decoder.More() {
		if v.kind == '{' {
			name, err := decoder.Token()
			if err != nil {
				return nil, false
			}
			v.parts = append(v.parts, &jsonValue{raw: json.RawMessage(marshal(name))})
		}
		var part json.RawMessage
		if decoder.Decode(&part) != nil {
			return nil, false
		}
		value, ok := parseJSON(part)
		if !ok {
			return nil, false
		}
		v.parts = append(v.parts, value)
	}
	_, err = decoder.Token()
	return v, err == nil && !decoder.More()
}

// eachText visits the texts that are values, not names.
func (v *jsonValue) eachText(visit func(*jsonValue)) {
	if v.kind == 0 && v.raw[0] == '"' {
		visit(v)
	}
	for i, part := range v.parts {
		if v.kind == '[' || i%2 == 1 {
			part.eachText(visit)
		}
	}
}

// String is the value as JSON.
func (v *jsonValue) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v *jsonValue) write(b *strings.Builder) {
	if v.kind == 0 {
		b.Write(v.raw)
		return
	}
	b.WriteByte(v.kind)
	for i, part := range v.parts {
		switch {
		case i == 0:
		case v.kind == '{' && i%2 == 1:
			b.WriteByte(':')
		default:
			b.WriteByte(',')
		}
		part.write(b)
	}
	b.WriteByte(v.kind + 2) // } comes two behind {, and ] two behind [
}
