package wire

import (
	"bytes"
	"encoding/json"
)

// Object is a call's input as servers take it back: an object, whatever the
// model wrote. What is none stays readable for it.
func Object(input json.RawMessage) json.RawMessage {
	trimmed := bytes.TrimSpace(input)
	switch {
	case len(trimmed) == 0:
		return json.RawMessage(`{}`)
	case trimmed[0] != '{' || !json.Valid(trimmed):
		return encode(map[string]string{"_invalid": string(input)})
	case !bytes.Contains(bytes.ToLower(trimmed), []byte(`\ud`)):
		return trimmed
	}
	// There are escaped surrogates. Those that stand alone are JSON for Go and
	// not for other servers; decoding replaces them.
	decoder := json.NewDecoder(bytes.NewReader(trimmed))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return encode(map[string]string{"_invalid": string(input)})
	}
	return encode(value)
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // only strings, and what was JSON before, come here
		panic("wire: encode: " + err.Error())
	}
	return b
}
