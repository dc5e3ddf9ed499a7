package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// taken lists the calls of a history: a new one must be none of them.
func taken(history []agent.Message) map[lifecycle.CallID]bool {
	ids := map[lifecycle.CallID]bool{}
	for _, m := range history {
		for _, part := range m.Parts {
			if part.Call != nil {
				ids[part.Call.ID] = true
			}
		}
	}
	return ids
}

// identifier makes a tool's name one that the API takes. A model can call what
// does not exist, by any name, and the history must still go out.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("_.:-", r):
			return r
		}
		return '_'
	}, name)
	if name == "" || strings.ContainsRune("0123456789.:-", rune(name[0])) {
		name = "_" + name
	}
	return name[:min(len(name), 128)]
}

// object is a call's input as the API takes it back: an object, whatever the
// model wrote.
func object(input json.RawMessage) map[string]any {
	if len(bytes.TrimSpace(input)) == 0 {
		return map[string]any{}
	}
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber() // numbers are not rounded here
	var args map[string]any
	if err := decoder.Decode(&args); err != nil || args == nil || !json.Valid(input) {
		return map[string]any{"_invalid": string(input)}
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
