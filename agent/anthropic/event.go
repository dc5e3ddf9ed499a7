package anthropic

import "pawl/agent/wire"

// keys are the fields of an event that are read here.
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
