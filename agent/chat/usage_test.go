package chat

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// All servers count what a cache took part in within the prompt; where they say so
// differs.
func TestUsageCountsBothWaysOfACacheInThePrompt(t *testing.T) {
	for said, want := range map[string]lifecycle.Usage{
		`{"prompt_tokens":100,"completion_tokens":5}`: {InputTokens: 100, OutputTokens: 5},
		`{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":30}}`:          {InputTokens: 100, CachedTokens: 60, CacheWriteTokens: 30, OutputTokens: 5},
		`{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":60},"cache_creation_input_tokens":30}`: {InputTokens: 100, CachedTokens: 60, CacheWriteTokens: 30, OutputTokens: 5},
		`{"prompt_tokens":100,"completion_tokens":5,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`:                    {InputTokens: 100, CachedTokens: 64, OutputTokens: 5},
		`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":700,"cache_write_tokens":700}}`:                              {InputTokens: 100, CachedTokens: 100},
	} {
		var u usage
		require.NoError(t, json.Unmarshal([]byte(said), &u))
		require.Equal(t, want, u.tokens(lifecycle.Usage{OutputTokens: 1}), said)
	}
}
