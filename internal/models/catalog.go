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
	traits := agent.InfoOf(model)
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

// CheckTable refuses entries for unknown providers: they would have no effect.
func CheckTable(table map[string]settings.Model) error {
	var found []error
	for _, name := range slices.Sorted(maps.Keys(table)) {
		provider, _ := agent.SplitModel(name)
		var providers []string
		for _, maker := range Makers() {
			providers = append(providers, maker.Name)
		}
		if !slices.Contains(providers, provider) {
			found = append(found, &settings.Error{Where: table[name].Where, Message: fmt.Sprintf(
				"models.%q: there is no provider %q%s", name, provider, words.DidYouMean(provider, providers),
			)})
		}
	}
	return settings.All(found...)
}
