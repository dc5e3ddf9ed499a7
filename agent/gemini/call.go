package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	"pawl/agent/wire"
)

// identifier makes a tool's name one that the API takes: no digit or sign begins
// it.
func identifier(name string) string {
	name = wire.Identifier(name, ".:", 128)
	if name == "" || strings.ContainsRune("0123456789.:-", rune(name[0])) {
		name = "_" + name
	}
	return name[:min(len(name), 128)]
}

// object is a call's input as the API takes it: nothing where it is empty.
func object(input json.RawMessage) json.RawMessage {
	args := wire.Object(input)
	if len(bytes.TrimSpace(args[1:len(args)-1])) == 0 {
		return nil
	}
	return args
}

// arguments writes the arguments of a call in one form, whatever blanks and escapes
// they came with: people read them.
func arguments(args json.RawMessage) (json.RawMessage, error) {
	if len(args) == 0 {
		return json.RawMessage(`{}`), nil
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber() // numbers are not rounded here
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	if len(fields) == 0 {
		return json.RawMessage(`{}`), nil
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil {
		panic("gemini: encode arguments: " + err.Error()) // they were JSON
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
