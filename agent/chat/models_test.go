package chat

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

func TestModels(t *testing.T) {
	for _, body := range []string{
		`{"object":"list","data":[{"id":"qwen3:8b","object":"model"},{"id":"llama3"}]}`,
		`[{"id":"qwen3:8b"},{"id":"llama3"}]`,
	} {
		p, s := serve(t, wiretest.Reply{Body: body})
		offers, err := p.Models(t.Context())
		require.NoError(t, err)
		require.Equal(t, []agent.ModelListing{{Name: "llama3"}, {Name: "qwen3:8b"}}, offers)
		require.Equal(t, "/v1/models", s.Last().URL.Path)
	}
}

func TestOllamaIsAskedInItsOwnWords(t *testing.T) {
	p, s := serve(t, wiretest.Reply{Body: `{"models":[{"name":"qwen3:8b","model":"qwen3:8b","size":5,"capabilities":["completion","tools","thinking"]},{"name":"gemma3:4b"}]}`})
	p = NewOllama(Options{BaseURL: strings.TrimSuffix(p.server.Base, "/v1"), HTTPClient: p.server.Client})
	offers, err := p.Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []agent.ModelListing{{Name: "gemma3:4b"}, {Name: "qwen3:8b", Images: agent.Unable, Thinking: agent.Able}}, offers)
	require.Equal(t, "/api/tags", s.Last().URL.Path)
}
