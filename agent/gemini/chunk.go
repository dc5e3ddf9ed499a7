package gemini

import (
	"encoding/json"
	"sync"

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
	FinishReason      string     `json:"finishReason"`
	FinishMessage     string     `json:"finishMessage"`
	ContinuationToken string     `json:"continuationToken"`
	Grounding         *grounding `json:"groundingMetadata"`
}

// keys are the known fields of chunks; see wire.Keys.
var keys = sync.OnceValue(wire.KeysOf[chunk])
