package anthropic

import "pawl/lifecycle"

// counts are the token counts of an event; nil if missing.
type counts struct {
	Input   *int64 `json:"input_tokens"`
	Written *int64 `json:"cache_creation_input_tokens"`
	Read    *int64 `json:"cache_read_input_tokens"`
	Output  *int64 `json:"output_tokens"`
	Server  *struct {
		Searches int `json:"web_search_requests"`
	} `json:"server_tool_use"`
}

// usage counts tokens as Anthropic does: input, cache writes and cache reads do not overlap.
type usage struct {
	input, written, read, output int64
	searches                     int
}

// add takes the counts of an event. They are totals for the message, so they replace
// earlier ones; missing counts change nothing.
func (u *usage) add(from counts) {
	replace := func(figure *int64, by *int64) {
		if by != nil {
			*figure = *by
		}
	}
	replace(&u.input, from.Input)
	replace(&u.written, from.Written)
	replace(&u.read, from.Read)
	replace(&u.output, from.Output)
	if from.Server != nil {
		u.searches = from.Server.Searches
	}
}

func (u *usage) neutral() lifecycle.Usage {
	return lifecycle.Usage{
		InputTokens: u.input + u.written + u.read, OutputTokens: u.output, CachedTokens: u.read, CacheWriteTokens: u.written, Searches: u.searches,
	}
}
