package gemini

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/genai"

	"pawl/agent"
)

// Models lists the models that can write text, page by page, as the server orders
// them.
func (p *Provider) Models(ctx context.Context) (offers []agent.Offer, err error) {
	if p.broken != nil {
		return nil, p.broken
	}
	defer guard(p.peer, &err, new(bool))
	for model, err := range p.client.Models.All(ctx) {
		if err != nil {
			return nil, p.failure(ctx, err)
		}
		if slices.Contains(model.SupportedActions, "generateContent") {
			offers = append(offers, offer(model))
		}
	}
	return offers, nil
}

// offer reads one model. That it thinks is said; that it does not is only left out.
func offer(from *genai.Model) agent.Offer {
	o := agent.Offer{
		Name: strings.TrimPrefix(from.Name, "models/"), Context: int(from.InputTokenLimit), Output: int(from.OutputTokenLimit),
	}
	if from.Thinking {
		o.Thinking = agent.Able
	}
	return o
}
