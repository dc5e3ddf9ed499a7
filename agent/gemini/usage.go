package gemini

import (
	"google.golang.org/genai"

	"pawl/lifecycle"
)

// usage adds up the requests of one answer. Within a request each chunk tells
// its total so far; cached tokens are counted in the prompt's, thoughts are not
// in the candidates'. Its caches are made of what goes in anyway: it counts no writes.
type usage struct {
	past  lifecycle.Usage // of the requests before this one
	now   lifecycle.Usage
	token []byte // with which this request began
}

func (u *usage) set(from genai.GenerateContentResponseUsageMetadata) {
	u.now = lifecycle.Usage{
		InputTokens:  int64(from.PromptTokenCount) + int64(from.ToolUsePromptTokenCount),
		OutputTokens: int64(from.CandidatesTokenCount) + int64(from.ThoughtsTokenCount),
		CachedTokens: int64(from.CachedContentTokenCount),
	}
}

func (u *usage) next(token []byte) { *u = usage{past: u.neutral(), token: token} }

func (u *usage) neutral() lifecycle.Usage { return u.past.Add(u.now) }
