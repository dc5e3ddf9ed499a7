package chat

import (
	"context"
	"strings"

	"pawl/agent"
)

// Models lists the server's models, sorted. For Ollama it uses Ollama's own API, which
// says more about them.
func (p *Provider) Models(ctx context.Context) ([]agent.ModelListing, error) {
	server, path, read := p.server, "/models", p.server.ParseModels
	if p.name == NameOllama {
		server.Base, path, read = strings.TrimSuffix(p.server.Base, "/v1"), "/api/tags", p.server.ParseOllamaModels
	}
	list, err := server.Get(ctx, path)
	if err != nil {
		return nil, err
	}
	return read(list)
}
