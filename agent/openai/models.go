package openai

import (
	"context"

	"pawl/agent"
)

// Models lists the models that the key gives access to, sorted.
func (p *Provider) Models(ctx context.Context) ([]agent.ModelListing, error) {
	list, err := p.server.Get(ctx, "/models")
	if err != nil {
		return nil, err
	}
	return p.server.ParseModels(list)
}
