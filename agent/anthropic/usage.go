package anthropic

import (
	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/lifecycle"
)

// usage counts tokens as Anthropic does: input, what was written to the cache
// and what was read from it are three figures that do not overlap.
type usage struct {
	input, written, read, output int64
}

func (u *usage) start(from sdk.Usage) {
	*u = usage{from.InputTokens, from.CacheCreationInputTokens, from.CacheReadInputTokens, from.OutputTokens}
}

// add takes the figures of a message_delta: totals of the whole message, so they
// replace. Those that are missing leave what stood.
func (u *usage) add(from sdk.MessageDeltaUsage) {
	if from.JSON.InputTokens.Valid() {
		u.input = from.InputTokens
	}
	if from.JSON.CacheCreationInputTokens.Valid() {
		u.written = from.CacheCreationInputTokens
	}
	if from.JSON.CacheReadInputTokens.Valid() {
		u.read = from.CacheReadInputTokens
	}
	if from.JSON.OutputTokens.Valid() {
		u.output = from.OutputTokens
	}
}

func (u *usage) neutral() lifecycle.Usage {
	return lifecycle.Usage{
		InputTokens: u.input + u.written + u.read, OutputTokens: u.output, CachedTokens: u.read, CacheWriteTokens: u.written,
	}
}
