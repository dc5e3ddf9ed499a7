package openai

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEventThatIsMoreThanAPieceIsLeftToTheSDK(t *testing.T) {
	for _, event := range []string{
		`{"type":"response.output_text.delta","output_index":0,"delta":"x","error":{"message":"Overloaded"}}`,
		`{"type":"response.output_text.delta","output_index":0,"delta":null}`,
		`{"type":"response.output_text.delta","output_index":0,"delta":["x"]}`,
		`{"type":"response.refusal.delta","output_index":0,"delta":"x"}`,
		`{"type":"response.created","delta":"response.output_text.delta"}`,
	} {
		require.False(t, new(answer).piece([]byte(event), nil), event)
	}
}
