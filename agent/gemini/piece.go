package gemini

import (
	"encoding/json"

	"google.golang.org/genai"

	"pawl/agent/wire"
)

// piece takes a chunk that is a piece of text and nothing else. It reports false for
// all others, which the SDK reads: that costs many times as much, for it decodes them
// three times, and judges them.
func (a *answer) piece(event []byte, life *wire.Pulse) bool {
	var chunk struct {
		Candidates []struct {
			Content      struct{ Parts []map[string]json.RawMessage }
			FinishReason json.RawMessage
		}
		PromptFeedback, Error json.RawMessage
		UsageMetadata         *genai.GenerateContentResponseUsageMetadata
	}
	if a.finished() || json.Unmarshal(event, &chunk) != nil || len(chunk.Candidates) != 1 || chunk.PromptFeedback != nil || chunk.Error != nil {
		return false
	}
	candidate := chunk.Candidates[0]
	if candidate.FinishReason != nil || len(candidate.Content.Parts) != 1 || len(candidate.Content.Parts[0]) != 1 {
		return false
	}
	var text *string
	if json.Unmarshal(candidate.Content.Parts[0]["text"], &text) != nil || text == nil {
		return false
	}
	life.Step()
	if chunk.UsageMetadata != nil {
		a.usage.set(*chunk.UsageMetadata)
	}
	a.text(*text)
	return true
}
