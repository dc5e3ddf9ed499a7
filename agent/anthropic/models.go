package anthropic

import (
	"context"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/agent"
)

// Models lists the models that the server offers, page by page, as it orders them.
func (p *Provider) Models(ctx context.Context) ([]agent.Offer, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	var offers []agent.Offer
	pages := p.client.Models.ListAutoPaging(ctx, sdk.ModelListParams{Limit: sdk.Int(1000)})
	for pages.Next() {
		offers = append(offers, offer(pages.Current()))
	}
	if err := pages.Err(); err != nil {
		return nil, p.failure(ctx, err)
	}
	return offers, nil
}

// offer reads one model. Compatible servers say less than Anthropic's.
func offer(from sdk.ModelInfo) agent.Offer {
	o := agent.Offer{Name: from.ID, Context: int(from.MaxInputTokens), Output: int(from.MaxTokens)}
	if from.Capabilities.JSON.ImageInput.Valid() {
		o.Images = agent.Can(from.Capabilities.ImageInput.Supported)
	}
	if from.Capabilities.JSON.Thinking.Valid() {
		o.Thinking = agent.Can(from.Capabilities.Thinking.Supported)
	}
	return o
}
