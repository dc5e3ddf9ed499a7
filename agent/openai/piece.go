package openai

import (
	"bytes"
	"encoding/json"

	"pawl/agent/wire"
)

// written is the kind of item that an event of this type brings a piece of, empty for
// all other events.
func written(event string) (kind string) {
	switch event {
	case "response.output_text.delta":
		return "message"
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		return "reasoning"
	case "response.function_call_arguments.delta":
		return "function_call"
	}
	return ""
}

// piece takes an event that is a piece of an item. It reports false for all others,
// which the SDK reads: that costs many times as much, and judges them.
func (a *answer) piece(event []byte, life *wire.Pulse) bool {
	if !bytes.Contains(event, []byte(`.delta"`)) {
		return false
	}
	var e struct {
		Type  string          `json:"type"`
		Index int64           `json:"output_index"`
		Delta *string         `json:"delta"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(event, &e) != nil || written(e.Type) == "" || e.Delta == nil || e.Error != nil {
		return false
	}
	life.Step()
	a.say(a.find(e.Index, written(e.Type)), *e.Delta)
	return true
}
