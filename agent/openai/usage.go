package openai

import "pawl/lifecycle"

// usage is what the API says it counted.
type usage struct {
	Input   int64 `json:"input_tokens"`
	Output  int64 `json:"output_tokens"`
	Details struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// tokens puts the API's counts into ours. What was read from a cache and what was
// written into one are parts of the input; a compatible server that says more than
// there was is not believed.
func (u usage) tokens() lifecycle.Usage {
	cached := min(u.Details.Cached, u.Input)
	return lifecycle.Usage{
		InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: cached, CacheWriteTokens: min(u.Details.Written, u.Input-cached),
	}
}
