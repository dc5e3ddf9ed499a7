package anthropic

import (
	"context"
	"encoding/json"
	"net/url"

	"pawl/agent"
	"pawl/lifecycle"
)

// page is a page of the list of models. Compatible servers send fewer fields.
type page struct {
	Data []struct {
		ID           string `json:"id"`
		Context      int    `json:"max_input_tokens"`
		Output       int    `json:"max_tokens"`
		Capabilities struct {
			Images   *supported `json:"image_input"`
			Thinking *supported `json:"thinking"`
			Effort   *efforts   `json:"effort"`
		} `json:"capabilities"`
	} `json:"data"`
	HasMore *bool  `json:"has_more"`
	LastID  string `json:"last_id"`
}

// efforts are the levels of effort that a model takes.
type efforts struct {
	Low    supported `json:"low"`
	Medium supported `json:"medium"`
	High   supported `json:"high"`
	XHigh  supported `json:"xhigh"`
	Max    supported `json:"max"`
}

// levels lists them; nil if the server does not say.
func (e *efforts) levels() []string {
	if e == nil {
		return nil
	}
	taken := []string{}
	for i, one := range []supported{e.Low, e.Medium, e.High, e.XHigh, e.Max} {
		if one.Supported {
			taken = append(taken, lifecycle.EffortLevels()[i])
		}
	}
	return taken
}

type supported struct {
	Supported bool `json:"supported"`
}

func (s *supported) ability() agent.Ability {
	if s == nil {
		return agent.Unknown
	}
	return agent.AbilityOf(s.Supported)
}

// Models lists the models that the server offers, in its order.
func (p *Provider) Models(ctx context.Context) ([]agent.ModelListing, error) {
	if err := p.server.NeedsKey(keyVariable); err != nil {
		return nil, err
	}
	var offers []agent.ModelListing
	for path := "/v1/models?limit=1000"; ; {
		list, err := p.server.Get(ctx, path)
		if err != nil {
			return nil, err
		}
		var page page
		if err := json.Unmarshal(list, &page); err != nil {
			return nil, p.server.Malformed("it is not a list of models")
		}
		for _, model := range page.Data {
			offers = append(offers, agent.ModelListing{
				Name: model.ID, Context: model.Context, Output: model.Output,
				Images: model.Capabilities.Images.ability(), Thinking: model.Capabilities.Thinking.ability(),
				Efforts: model.Capabilities.Effort.levels(),
			})
		}
		if len(page.Data) == 0 || page.LastID == "" || page.HasMore != nil && !*page.HasMore {
			return offers, nil
		}
		path = "/v1/models?limit=1000&after_id=" + url.QueryEscape(page.LastID)
	}
}
