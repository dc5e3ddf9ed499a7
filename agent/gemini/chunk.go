package gemini

import (
	"encoding/json"

	"pawl/agent/wire"
)

// chunk is one event of a stream, with the fields that Pawl reads.
type chunk struct {
	Candidates []candidate `json:"candidates"`
	Feedback   struct {
		BlockReason        string `json:"blockReason"`
		BlockReasonMessage string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage        *counts         `json:"usageMetadata"`
	ResponseID   string          `json:"responseId"`
	ModelVersion string          `json:"modelVersion"`
	Error        json.RawMessage `json:"error"`
}

type candidate struct {
	Content struct {
		Parts []part `json:"parts"`
	} `json:"content"`
	FinishReason      string `json:"finishReason"`
	FinishMessage     string `json:"finishMessage"`
	ContinuationToken string `json:"continuationToken"`
}

// keys are the known fields of chunks; see wire.Keys.
func keys() wire.Keys {
	return wire.Keys{
		"candidates": {
			"content": {"parts": {
				"text": nil, "thought": nil, "thoughtSignature": nil,
				"functionCall": {"id": nil, "name": nil, "args": nil},
			}},
			"finishReason": nil, "finishMessage": nil, "continuationToken": nil,
		},
		"promptFeedback": {"blockReason": nil, "blockReasonMessage": nil},
		"usageMetadata": {
			"promptTokenCount": nil, "toolUsePromptTokenCount": nil, "candidatesTokenCount": nil,
			"thoughtsTokenCount": nil, "cachedContentTokenCount": nil,
		},
		"error": nil, "responseId": nil, "modelVersion": nil,
	}
}
