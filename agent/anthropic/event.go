package anthropic

import (
	"encoding/json"

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
}

// delta is a piece of a block or, at the end, how the message ended.
type delta struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Thinking    string `json:"thinking"`
	Signature   string `json:"signature"`
	PartialJSON string `json:"partial_json"`
	StopReason  string `json:"stop_reason"`
	StopDetails struct {
		Explanation string `json:"explanation"`
		Category    string `json:"category"`
	} `json:"stop_details"`
}

// keys are the known fields of events; see wire.Keys.
func keys() wire.Keys {
	usage := wire.Keys{
		"input_tokens": nil, "output_tokens": nil,
		"cache_creation_input_tokens": nil, "cache_read_input_tokens": nil,
	}
	return wire.Keys{
		"type": nil, "index": nil, "usage": usage,
		"message": {"usage": usage, "id": nil, "model": nil},
		"content_block": {
			"type": nil, "text": nil, "thinking": nil, "signature": nil, "data": nil,
			"id": nil, "name": nil, "input": nil,
		},
		"delta": {
			"type": nil, "text": nil, "thinking": nil, "signature": nil, "partial_json": nil,
			"stop_reason": nil, "stop_details": {"explanation": nil, "category": nil},
		},
		"error": {"type": nil, "message": nil},
	}
}
