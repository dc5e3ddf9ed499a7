package gemini

import "pawl/agent/wire"

// keys are the fields of a chunk that are read here.
func keys() wire.Keys {
	return wire.Keys{
		"candidates": {
			"content": {"parts": {
				"text": nil, "thought": nil, "thoughtSignature": nil,
				"functionCall": {"id": nil, "name": nil, "args": nil},
			}},
			"finishReason": nil, "continuationToken": nil,
		},
		"promptFeedback": {"blockReason": nil, "blockReasonMessage": nil},
		"usageMetadata": {
			"promptTokenCount": nil, "toolUsePromptTokenCount": nil, "candidatesTokenCount": nil,
			"thoughtsTokenCount": nil, "cachedContentTokenCount": nil,
		},
		"error": nil, "responseId": nil, "modelVersion": nil,
	}
}
