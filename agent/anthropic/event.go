package anthropic

import (
	"encoding/json"
	"sync"

	"pawl/agent/wire"
)

// event is one event of a stream, with the fields that Pawl reads.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string `json:"id"`
		Model string `json:"model"`
		Usage counts `json:"usage"`
	} `json:"message"`
	Block startedBlock `json:"content_block"`
	Delta delta        `json:"delta"`
	Usage counts       `json:"usage"`
}

// startedBlock is a block at its start, when most fields are empty.
type startedBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

// delta is a piece of a block or, at the end, how the message ended.
type delta struct {
	Type        string          `json:"type"`
	Text        string          `json:"text"`
	Thinking    string          `json:"thinking"`
	Signature   string          `json:"signature"`
	PartialJSON string          `json:"partial_json"`
	Citation    json.RawMessage `json:"citation"`
	StopReason  string          `json:"stop_reason"`
	StopDetails struct {
		Explanation string `json:"explanation"`
		Category    string `json:"category"`
	} `json:"stop_details"`
}

// keys are the known fields of events; see wire.Keys.
var keys = sync.OnceValue(func() wire.Keys {
	keys := wire.KeysOf[event]()
	keys["error"] = wire.Keys{"type": nil, "message": nil}
	return keys
})
