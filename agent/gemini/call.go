package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	"pawl/agent/wire"
)

// identifier turns a tool's name into one that the API accepts, which cannot start with a
// digit, dot, colon or hyphen.
func identifier(name string) string {
	name = wire.Identifier(name, ".:", 128)
	if name == "" || strings.ContainsRune("0123456789.:-", rune(name[0])) {
		name = "_" + name
	}
	return name[:min(len(name), 128)]
}

// object is a call's input as the API accepts it; nil if it is empty.
func object(input json.RawMessage) json.RawMessage {
	args := wire.Object(input)
	if len(bytes.TrimSpace(args[1:len(args)-1])) == 0 {
		return nil
	}
	return args
}

// arguments normalises the arguments of a call, white space and escapes included, because
// people read them.
func arguments(args json.RawMessage) (json.RawMessage, error) {
	if len(args) == 0 {
		return json.RawMessage(`{}`), nil
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber() // keeps numbers exact
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
