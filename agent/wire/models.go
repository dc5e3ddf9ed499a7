package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
)

// ParseModels parses and sorts a list of models as OpenAI's API sends it, with the fields
// that others add. Some servers send the list without its wrapper.
func (p Peer) ParseModels(raw []byte) ([]agent.ModelListing, error) {
	var list struct{ Data []listed }
	if err := json.Unmarshal(raw, &list); err != nil || list.Data == nil {
		if err := json.Unmarshal(raw, &list.Data); err != nil {
			return nil, p.Malformed("it is not a list of models")
		}
	}
	var offers []agent.ModelListing
	for _, model := range list.Data {
		if model.ID != "" {
			offers = append(offers, model.listing())
		}
	}
	return sorted(offers), nil
}

func sorted(offers []agent.ModelListing) []agent.ModelListing {
	slices.SortFunc(offers, func(a, b agent.ModelListing) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(offers, func(a, b agent.ModelListing) bool { return a.Name == b.Name })
}

// listed is one model of a list. OpenAI sends only its name; routers and local servers
// also send the context, under several names.
type listed struct {
	ID            string
	ContextLength int `json:"context_length"`     // OpenRouter, LiteLLM, llama.cpp's router
	MaxModelLen   int `json:"max_model_len"`      // vLLM
	MaxContext    int `json:"max_context_length"` // LM Studio, Mistral
	TopProvider   struct {
		MaxCompletion int `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Architecture struct {
		Input []string `json:"input_modalities"`
	} `json:"architecture"`
}

func (l listed) listing() agent.ModelListing {
	o := agent.ModelListing{
		Name: l.ID, Context: max(0, cmp.Or(l.ContextLength, l.MaxModelLen, l.MaxContext)), Output: max(0, l.TopProvider.MaxCompletion),
	}
	if inputs := l.Architecture.Input; len(inputs) > 0 {
		o.Images = agent.AbilityOf(slices.Contains(inputs, "image"))
	}
	return o
}

// ParseOllamaModels parses and sorts the list of Ollama's own API. Newer versions say what
// a model can do.
func (p Peer) ParseOllamaModels(raw []byte) ([]agent.ModelListing, error) {
	var list struct {
		Models []struct {
			Name         string
			Capabilities []string
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil || list.Models == nil {
		return nil, p.Malformed("it is not a list of models")
	}
	var offers []agent.ModelListing
	for _, model := range list.Models {
		o := agent.ModelListing{Name: model.Name}
		if can := model.Capabilities; len(can) > 0 {
			o.Images, o.Thinking = agent.AbilityOf(slices.Contains(can, "vision")), agent.AbilityOf(slices.Contains(can, "thinking"))
		}
		if o.Name != "" {
			offers = append(offers, o)
		}
	}
	return sorted(offers), nil
}
