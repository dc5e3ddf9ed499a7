package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestAListSaysOfModelsWhatTheirServerKnows(t *testing.T) {
	offers, err := server.ParseModels([]byte(`{"object":"list","data":[
		{"id":"vendor/sees","context_length":200000,"top_provider":{"max_completion_tokens":64000},"architecture":{"input_modalities":["text","image"]}},
		{"id":"blind","max_model_len":32768,"architecture":{"input_modalities":["text"]}},
		{"id":"local","max_context_length":4096},
		{"id":"broken","context_length":-1},
		{"id":"local","max_context_length":4096}, {"object":"model"}
	]}`))
	require.NoError(t, err)
	require.Equal(t, []agent.ModelListing{
		{Name: "blind", Context: 32_768, Images: agent.Unable},
		{Name: "broken"},
		{Name: "local", Context: 4096},
		{Name: "vendor/sees", Context: 200_000, Output: 64_000, Images: agent.Able},
	}, offers)

	offers, err = server.ParseModels([]byte(`{"data":[]}`))
	require.NoError(t, err)
	require.Empty(t, offers)
}

func TestGarbageIsNoListOfModels(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": "", "a page": "<html>", "another shape": `{"data":"none"}`, "an error": `{"detail":"x"}`, "a number": "3", "a cut list": `{"data":[{"id":"a"}`,
	} {
		_, offers := server.ParseModels([]byte(body))
		_, tags := server.ParseOllamaModels([]byte(body))
		for _, err := range []error{offers, tags} {
			var failed *agent.ProviderError
			require.ErrorAs(t, err, &failed, name)
			require.Contains(t, failed.Message, "the server sent an answer that makes no sense", name)
		}
	}
}
