package anthropic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestBrokenStreams(t *testing.T) {
	for name, message := range map[string]string{
		"malformed":     "Anthropic sent an event that is not valid JSON",
		"wrong_index":   "Anthropic sent an answer that makes no sense: a piece of block 1, which has not begun",
		"skipped_block": "Anthropic sent an answer that makes no sense: block 1 began where block 0 was due",
		"no_reason":     "Anthropic sent an answer that makes no sense: it ended without a stop reason",
	} {
		_, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, name), nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
	}
}

func TestErrorInMidStream(t *testing.T) {
	_, pieces, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "overloaded"), nil, nil)), hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, wiretest.Heard{{Text: "Hel"}}, pieces)
	require.Equal(t, "Anthropic: Overloaded (HTTP 529)", failure.Error())
	require.True(t, failure.Temporary)
}
