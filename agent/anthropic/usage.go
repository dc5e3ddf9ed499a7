package anthropic

import "pawl/lifecycle"

// counts are the figures of an event. What it does not say is nil.
type counts struct {
	Input   *int64 `json:"input_tokens"`
	Written *int64 `json:"cache_creation_input_tokens"`
	Read    *int64 `json:"cache_read_input_tokens"`
	Output  *int64 `json:"output_tokens"`
}

// usage counts tokens as Anthropic does: input, what was written to the cache
// and what was read from it are three figures that do not overlap.
type usage struct {
	input, written, read, output int64
}

// add takes the figures of an event: totals of the whole message, so they replace.
// Those that are missing leave what stood.
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
}

func (u *usage) neutral() lifecycle.Usage {
	return lifecycle.Usage{
		InputTokens: u.input + u.written + u.read, OutputTokens: u.output, CachedTokens: u.read, CacheWriteTokens: u.written,
	}
}
