package chat

import "pawl/lifecycle"

// usage is what a server says it counted. Where it counts what is read from a
// cache differs.
type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Total      int64 `json:"total_tokens"`
	Details    *struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	Cached   int64 `json:"cached_tokens"`
	CacheHit int64 `json:"prompt_cache_hit_tokens"`
}

// tokens is the usage in our terms; it replaces what an earlier chunk said. A nil
// usage says nothing.
func (u *usage) tokens(before lifecycle.Usage) lifecycle.Usage {
	if u == nil {
		return before
	}
	cached := max(u.Cached, u.CacheHit)
	if u.Details != nil {
		cached = max(cached, u.Details.Cached)
	}
	return lifecycle.Usage{
		InputTokens:  u.Prompt,
		CachedTokens: min(cached, u.Prompt),
		// Some leave the thinking out of the completion, but not of the total.
		OutputTokens: max(u.Completion, u.Total-u.Prompt),
	}
}
