package chat

import "pawl/lifecycle"

// usage is the token counts of a server. They differ in where they count cache reads, but
// always include them in the prompt.
type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Total      int64 `json:"total_tokens"`
	Details    *struct {
		Cached  int64 `json:"cached_tokens"`
		Written int64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	Cached   int64 `json:"cached_tokens"`
	CacheHit int64 `json:"prompt_cache_hit_tokens"`
	Created  int64 `json:"cache_creation_input_tokens"` // of a router before Anthropic
}

// tokens converts the counts, which replace those of earlier chunks. A nil usage changes
// nothing.
func (u *usage) tokens(before lifecycle.Usage) lifecycle.Usage {
	if u == nil {
		return before
	}
	cached, written := max(u.Cached, u.CacheHit), u.Created
	if u.Details != nil {
		cached, written = max(cached, u.Details.Cached), max(written, u.Details.Written)
	}
	cached = min(cached, u.Prompt)
	return lifecycle.Usage{
		InputTokens:      u.Prompt,
		CachedTokens:     cached,
		CacheWriteTokens: min(written, u.Prompt-cached),
		// Some leave thinking out of the completion, but not out of the total.
		OutputTokens: max(u.Completion, u.Total-u.Prompt),
	}
}
