package gemini

import "pawl/lifecycle"

// counts are the token counts of a chunk.
type counts struct {
	Prompt     int64 `json:"promptTokenCount"`
	ToolUse    int64 `json:"toolUsePromptTokenCount"`
	Candidates int64 `json:"candidatesTokenCount"`
	Thoughts   int64 `json:"thoughtsTokenCount"`
	Cached     int64 `json:"cachedContentTokenCount"`
}

// usage counts the requests of one answer. Each chunk of a request has its totals so far.
// Cached tokens are included in the prompt's, thoughts are not included in the
// candidates'. Cache writes are not counted separately.
type usage struct {
	earlier []lifecycle.Usage // of the requests before this one
	now     lifecycle.Usage
	token   string // with which this request began
}

func (u *usage) set(from counts) {
	u.now = lifecycle.Usage{
		InputTokens: from.Prompt + from.ToolUse, OutputTokens: from.Candidates + from.Thoughts, CachedTokens: from.Cached,
	}
}

func (u *usage) next(token string) { *u = usage{earlier: append(u.earlier, u.now), token: token} }
