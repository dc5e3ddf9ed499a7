package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
)

// Sorted sorts tools by name. A server's prefix cache needs the same order in every request.
func Sorted(specs []agent.ToolSpec) []agent.ToolSpec {
	return slices.SortedStableFunc(slices.Values(specs), func(a, b agent.ToolSpec) int { return strings.Compare(a.Name, b.Name) })
}

// Schema is an input schema in the form that OpenAI's APIs accept: an object with a
// properties field, even if that is empty. Its values are not changed.
func Schema(raw json.RawMessage) map[string]any {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given) // anything but an object counts as an empty one
	fields := map[string]any{"type": "object", "properties": map[string]any{}}
	for name, value := range given {
		fields[name] = value
	}
	return fields
}
