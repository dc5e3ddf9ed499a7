package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
)

// Sorted lists tools by their names: a server's cache of prefixes wants the same
// order in every request.
func Sorted(specs []agent.ToolSpec) []agent.ToolSpec {
	return slices.SortedStableFunc(slices.Values(specs), func(a, b agent.ToolSpec) int { return strings.Compare(a.Name, b.Name) })
}

// Schema is an input schema as both of OpenAI's APIs take it: an object that
// lists its properties, even if there are none. What it holds stays as it was
// written.
func Schema(raw json.RawMessage) map[string]any {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given) // what is no object is an empty one
	fields := map[string]any{"type": "object", "properties": map[string]any{}}
	for name, value := range given {
		fields[name] = value
	}
	return fields
}
