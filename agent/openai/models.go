package openai

import (
	"context"
	"net/http"

	"pawl/agent"
)

// Models lists the models that the key can use, sorted.
func (p *Provider) Models(ctx context.Context) ([]agent.Offer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/models", nil)
	if err != nil {
		return nil, p.peer.Failed(ctx, err)
	}
	if p.peer.Key != "" {
		req.Header.Set("Authorization", "Bearer "+p.peer.Key)
	}
	res, err := p.check(req, p.client.Do)
	if err != nil {
		return nil, p.peer.Failed(ctx, err)
	}
	defer res.Body.Close()
	offers, err := p.peer.Offers(res.Body)
	if err != nil {
		return nil, p.peer.Failed(ctx, err)
	}
	return offers, nil
}
