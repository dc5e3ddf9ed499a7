package chat

import "pawl/lifecycle"

// usage is what a server says it counted. Where it counts what a cache
// took part in differs; all count it in the prompt.
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
	Created  int64 `json:"cache_creation_input_tokens"` // a router's in front of Anthropic
}

// tokens is the usage in our terms; it replaces what an earlier chunk said. A nil
// usage says nothing.
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
		// Some leave the thinking out of the completion, but not of the total.
		OutputTokens: max(u.Completion, u.Total-u.Prompt),
	}
}
