package chat

import (
	"context"
	"net/http"
	"strings"

	"pawl/agent"
)

// Models lists the models that the server has, sorted. Ollama is asked by its own
// API, which knows more of them.
func (p *Provider) Models(ctx context.Context) ([]agent.Offer, error) {
	address, read := p.base+"/models", p.peer.Offers
	if p.name == NameOllama {
		address, read = strings.TrimSuffix(p.base, "/v1")+"/api/tags", p.peer.Tags
	}
	res, err := p.sendTo(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, p.peer.Failed(ctx, err)
	}
	defer res.Body.Close()
	offers, err := read(res.Body)
	if err != nil {
		return nil, p.peer.Failed(ctx, err)
	}
	return offers, nil
}
