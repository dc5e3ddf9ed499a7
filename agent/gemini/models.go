package gemini

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"pawl/agent"
)

// page is a page of the list of models.
type page struct {
	Models []listed `json:"models"`
	Next   string   `json:"nextPageToken"`
}

type listed struct {
	Name     string   `json:"name"`
	Context  int      `json:"inputTokenLimit"`
	Output   int      `json:"outputTokenLimit"`
	Thinking bool     `json:"thinking"`
	Methods  []string `json:"supportedGenerationMethods"`
}

// Models lists the models that can write text, in the server's order.
func (p *Provider) Models(ctx context.Context) ([]agent.ModelListing, error) {
	if err := p.server.NeedsKey(keyVariable); err != nil {
		return nil, err
	}
	var offers []agent.ModelListing
	for path := "/v1beta/models"; ; {
		list, err := p.server.Get(ctx, path)
		if err != nil {
			return nil, err
		}
		var page page
		if err := json.Unmarshal(list, &page); err != nil {
			return nil, p.server.Malformed("it is not a list of models")
		}
		for _, model := range page.Models {
			if slices.Contains(model.Methods, "generateContent") {
				offers = append(offers, model.listing())
			}
		}
		if page.Next == "" {
			return offers, nil
		}
		path = "/v1beta/models?pageToken=" + url.QueryEscape(page.Next)
	}
}

// listing converts one model. The server says that a model thinks, but not that it does not.
func (l listed) listing() agent.ModelListing {
	o := agent.ModelListing{Name: strings.TrimPrefix(l.Name, "models/"), Context: l.Context, Output: l.Output}
	if l.Thinking {
		o.Thinking = agent.Able
	}
	return o
}
