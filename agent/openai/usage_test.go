package openai

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// The API counts both ways of a cache in the input, and no token twice.
func TestUsageCountsBothWaysOfACacheInTheInput(t *testing.T) {
	for details, want := range map[string]lifecycle.Usage{
		`{"cached_tokens":1920}`:                           {InputTokens: 2006, CachedTokens: 1920, OutputTokens: 300},
		`{"cached_tokens":1500,"cache_write_tokens":400}`:  {InputTokens: 2006, CachedTokens: 1500, CacheWriteTokens: 400, OutputTokens: 300},
		`{"cached_tokens":9000,"cache_write_tokens":9000}`: {InputTokens: 2006, CachedTokens: 2006, OutputTokens: 300},
	} {
		answer := wiretest.Play(t, "text.sse")
		answer.Body = strings.ReplaceAll(answer.Body, `{"cached_tokens":1920}`, details)
		p, _ := serve(t, answer)
		res, _, err := wiretest.Ask(t, p, hello())
		require.NoError(t, err)
		require.Equal(t, want, res.Usage, details)
	}
}
