package openai

import "pawl/lifecycle"

// usage is the token counts of the API.
type usage struct {
	Input   int64 `json:"input_tokens"`
	Output  int64 `json:"output_tokens"`
	Details struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
}

// tokens converts the counts. Cache reads and writes are parts of the input; larger counts
// of a compatible server are cut to it.
func (u usage) tokens() lifecycle.Usage {
	cached := min(u.Details.Cached, u.Input)
	return lifecycle.Usage{
		InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: cached, CacheWriteTokens: min(u.Details.Written, u.Input-cached),
	}
}
