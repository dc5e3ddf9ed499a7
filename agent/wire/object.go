package wire

import (
	"bytes"
	"encoding/json"
)

// Object is a call's input in the form that servers accept: a JSON object. Other input is
// wrapped in one, so that the model can still read it.
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
	// Go accepts escaped surrogates without their partner, other servers do not; decoding
	// replaces them.
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
	if err != nil { // only strings and decoded JSON come here
		panic("wire: encode: " + err.Error())
	}
	return b
}
