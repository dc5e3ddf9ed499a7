package agent

import (
	"cmp"
	"strings"

	"pawl/lifecycle"
)

// Prices of a model, in US dollars per million tokens. All zero means unknown or free.
type Prices struct {
	Input, Cached, Written, Output float64 // Cached is read from a cache, Written into it
}

// Ability says whether a model can do something, if that is known.
type Ability string

// The values of an Ability.
const (
	Unknown Ability = ""
	Able    Ability = "yes"
	Unable  Ability = "no"
)

// ModelInfo is what is known of a model before it is asked. Zero means unknown.
type ModelInfo struct {
	Prices Prices
	// Long applies to whole requests with more than LongAt input tokens. LongAt 0: there
	// are no such prices.
	Long     Prices
	LongAt   int64
	Search   float64 // of one search of the web by its own server, in US dollars
	Free     bool    // it costs nothing, so no price is missing
	Context  int     // tokens of a request and its answer together
	Output   int     // tokens of an answer
	Limit    int     // tokens of an answer, as the user limits it
	Images   Ability
	Thinking Ability
	// Efforts are the levels of effort that it takes, the least first, each one of lifecycle.EffortLevels. None
	// is a model that takes no effort, nil one of which that is not known.
	Efforts []string
}

// InfoOf looks a model ("provider/name") up in the built-in table.
func InfoOf(model string) ModelInfo {
	provider, name := SplitModel(model)
	switch provider {
	case "demo":
		return ModelInfo{Free: true, Efforts: []string{}}
	case "ollama":
		return ModelInfo{Free: true} // its abilities depend on the server, not on the name
	}
	return findModel(name)
}

// Priced reports whether the model's cost is known, even if it is nothing.
func (m ModelInfo) Priced() bool { return m.Free || m.Prices != (Prices{}) }

// Cost is the cost of one request, in US dollars.
func (m ModelInfo) Cost(u lifecycle.Usage) float64 {
	searches := float64(u.Searches) * m.Search
	if m.LongAt > 0 && u.InputTokens > m.LongAt {
		return m.Long.cost(u) + searches
	}
	return m.Prices.cost(u) + searches
}

func (p Prices) cost(u lifecycle.Usage) float64 {
	fresh := max(0, u.InputTokens-u.CachedTokens-u.CacheWriteTokens)
	return (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached +
		float64(u.CacheWriteTokens)*p.Written + float64(u.OutputTokens)*p.Output) / 1e6
}

// WithCacheDefaults fills in unknown cache prices with the price of other input.
func (p Prices) WithCacheDefaults() Prices {
	p.Cached, p.Written = cmp.Or(p.Cached, p.Input), cmp.Or(p.Written, p.Input)
	return p
}

// SplitModel splits "provider/name" at the first slash.
func SplitModel(full string) (provider, name string) {
	provider, name, _ = strings.Cut(full, "/")
	return provider, name
}
