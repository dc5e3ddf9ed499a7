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

// object is a call's input as the SDK takes it.
func object(input json.RawMessage) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(wire.Object(input)))
	decoder.UseNumber() // numbers are not rounded here
	var args map[string]any
	if err := decoder.Decode(&args); err != nil {
		panic("gemini: decode arguments: " + err.Error()) // they are an object
	}
	return args
}

// arguments writes what the SDK has read already; Gemini's arguments always were
// an object.
func arguments(args map[string]any) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage(`{}`)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read it
	if err := encoder.Encode(args); err != nil {
		panic("gemini: encode arguments: " + err.Error()) // they were JSON
	}
	return bytes.TrimSpace(b.Bytes())
}
