package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/settings"
	"pawl/internal/words"
)

// Info implements the field of agent.Loop: what is known of a model, the user's settings before
// what is built in. Of several entries of the user's the most specific wins, field by field.
func (m *Set) Info(model string) agent.ModelInfo {
	traits := m.builtInInfo(model)
	names := slices.SortedFunc(maps.Keys(m.Table), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(b, a)) // "a/b*" before "a/bc"
	})
	for _, name := range names {
		if beginning, all := strings.CutSuffix(name, "*"); name == model || all && strings.HasPrefix(model, beginning) {
			traits = overlaid(traits, m.Table[name])
		}
	}
	return traits
}

// builtInInfo is what the built-in table knows. A server of the user's may call anything by a
// known name, so its models are in the table only if it is certainly the maker's own.
func (m *Set) builtInInfo(model string) agent.ModelInfo {
	provider, name := agent.SplitModel(model)
	p, ok := m.Provider(provider)
	switch {
	case ok && p.Kind == "vertex" && isClaude(name):
		return unpriced("anthropic/" + strings.Replace(name, "@", "-", 1))
	case ok && p.Kind == "vertex":
		return unpriced("gemini/" + name)
	case ok && p.Kind == "bedrock":
		return unpriced("anthropic/" + claudeName(name))
	case ok:
		maker := m.maker(p)
		if maker == "" {
			return agent.ModelInfo{}
		}
		return agent.InfoOf(maker + "/" + name)
	}
	return agent.InfoOf(model)
}

// unpriced is what is known of a model at another's cloud: all but the price, which differs by
// region.
func unpriced(model string) agent.ModelInfo {
	known := agent.InfoOf(model)
	known.Prices, known.Long, known.LongAt = agent.Prices{}, agent.Prices{}, 0
	return known
}

// overlaid applies one entry of the user's to what is known.
func overlaid(t agent.ModelInfo, said settings.Model) agent.ModelInfo {
	if said.Context != nil {
		t.Context = *said.Context
	}
	if said.Output != nil {
		t.Output, t.Limit = *said.Output, *said.Output
	}
	if said.Images != nil {
		t.Images = agent.AbilityOf(*said.Images)
	}
	if said.Thinking != nil {
		t.Thinking = agent.AbilityOf(*said.Thinking)
	}
	if said.Effort != nil {
		t.Efforts = agent.InOrder(said.Effort)
	}
	return priced(t, said)
}

// priced applies the user's prices. They hold for requests of any length; what a new price
// leaves out costs as much as other input.
func priced(t agent.ModelInfo, said settings.Model) agent.ModelInfo {
	if said.InputPrice != nil && said.OutputPrice != nil {
		t.Prices = agent.Prices{Input: *said.InputPrice, Output: *said.OutputPrice}.WithCacheDefaults()
		t.Free = t.Prices == agent.Prices{}
		t.Long, t.LongAt = agent.Prices{}, 0
	}
	if t.Prices == (agent.Prices{}) {
		return t // the price of a cache alone is useless
	}
	if said.CachedPrice != nil {
		t.Prices.Cached, t.Long.Cached = *said.CachedPrice, *said.CachedPrice
	}
	if said.CacheWritePrice != nil {
		t.Prices.Written, t.Long.Written = *said.CacheWritePrice, *said.CacheWritePrice
	}
	return t
}

// CheckTable refuses entries of models for providers that there are not: they would have no
// effect.
func CheckTable(table map[string]settings.Model, said map[string]settings.Provider) error {
	var providers []string
	for _, p := range providersOf(said) {
		providers = append(providers, p.Name)
	}
	var found []error
	for _, name := range slices.Sorted(maps.Keys(table)) {
		provider, _ := agent.SplitModel(name)
		if !slices.Contains(providers, provider) {
			found = append(found, &settings.Error{Where: table[name].Where, Message: fmt.Sprintf(
				"models.%q: there is no provider %q%s", name, provider, words.DidYouMean(provider, providers),
			)})
		}
	}
	return settings.All(found...)
}
