package openai

import (
	"github.com/openai/openai-go/v3/responses"

	"pawl/lifecycle"
)

// counted puts the API's counts into ours. What was read from a cache and what was
// written into one are parts of the input; a compatible server that says more than
// there was is not believed.
func counted(u responses.ResponseUsage) lifecycle.Usage {
	cached := min(u.InputTokensDetails.CachedTokens, u.InputTokens)
	return lifecycle.Usage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CachedTokens: cached,
		CacheWriteTokens: min(u.InputTokensDetails.CacheWriteTokens, u.InputTokens-cached),
	}
}
