package chat

import "pawl/agent/wire"

// keys are the known fields of chunks; see wire.Keys.
func keys() wire.Keys {
	text := wire.Keys{"type": nil, "text": nil}
	piece := wire.Keys{
		"content": {"type": nil, "text": nil, "thinking": text},
		"refusal": nil, "reasoning_content": nil, "reasoning": nil,
		"tool_calls": {
			"index": nil, "id": nil, "extra_content": nil,
			"function": {"name": nil, "arguments": nil},
		},
	}
	usage := wire.Keys{
		"prompt_tokens": nil, "completion_tokens": nil, "total_tokens": nil,
		"prompt_tokens_details": {"cached_tokens": nil},
		"cached_tokens":         nil, "prompt_cache_hit_tokens": nil,
	}
	return wire.Keys{
		"choices": {"index": nil, "delta": piece, "message": piece, "finish_reason": nil, "usage": usage},
		"usage":   usage, "error": nil, "object": nil, "id": nil, "model": nil,
	}
}
