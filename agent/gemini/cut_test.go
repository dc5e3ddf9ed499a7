package gemini

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestBrokenStreams(t *testing.T) {
	for stream, message := range map[string]string{
		recording(t, "malformed"):            "Gemini sent an event that is not valid JSON",
		recording(t, "other_shape"):          "Gemini sent an answer that makes no sense: candidates is a string",
		"<html>Welcome</html>":               "Gemini sent an event that cannot be read",
		"":                                   "Gemini cut the answer off: the stream ended before its end",
		"data: {}\n\n":                       "Gemini cut the answer off: the stream ended before its end",
		"data: {\"candidates\": [null]}\n\n": "Gemini cut the answer off: the stream ended before its end",
	} {
		answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
		require.Empty(t, answer.Message)
	}
}

func TestErrorInMidStream(t *testing.T) {
	for _, stream := range []string{
		recording(t, "unavailable"),
		"{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded. Please try again later.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n",
	} {
		_, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, "Gemini: The model is overloaded. Please try again later. (HTTP 503)", failure.Error())
		require.True(t, failure.Temporary)
	}
}
