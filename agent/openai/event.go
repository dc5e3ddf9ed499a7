package openai

import "pawl/agent/wire"

// keys are the fields of an event that are read here.
func keys() wire.Keys {
	item := wire.Keys{
		"id": nil, "type": nil, "call_id": nil, "name": nil, "arguments": nil, "encrypted_content": nil, "phase": nil,
		"content": {"type": nil, "text": nil, "refusal": nil},
		"summary": {"type": nil, "text": nil},
	}
	return wire.Keys{
		"type": nil, "output_index": nil, "delta": nil, "item": item,
		"response": {
			"status": nil, "output": item, "id": nil, "model": nil,
			"incomplete_details": {"reason": nil},
			"error":              {"type": nil, "code": nil, "message": nil},
			"usage": {
				"input_tokens": nil, "output_tokens": nil,
				"input_tokens_details": {"cached_tokens": nil},
			},
		},
		"error": nil, "code": nil, "message": nil,
	}
}
