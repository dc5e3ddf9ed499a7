package agent

import (
	"cmp"
	"strings"

	"pawl/lifecycle"
)

// Prices of a model, in US dollars for a million tokens. All zero is unknown, or
// free.
type Prices struct {
	Input, Cached, Written, Output float64 // Cached is read from a cache, Written into it
}

// Ability says whether a model can do something, as far as that is known.
type Ability string

// What can be known of an ability.
const (
	Unknown Ability = ""
	Able    Ability = "yes"
	Unable  Ability = "no"
)

// ModelInfo are what is known of a model before it is asked. A zero is not known.
type ModelInfo struct {
	Prices Prices
	// Long are the prices of a whole request whose input is beyond LongAt tokens;
	// where LongAt is 0 there are none.
	Long     Prices
	LongAt   int64
	Free     bool // it costs nothing wherever it is asked, so no price is missing
	Context  int  // tokens that a request and its answer may have together
	Output   int  // tokens that an answer may have
	Limit    int  // tokens that every answer is held to, because the user said so
	Images   Ability
	Thinking Ability
}

// InfoOf finds the traits of a model ("provider/name") in what is built in.
func InfoOf(model string) ModelInfo {
	provider, name := SplitModel(model)
	if provider == "demo" || provider == "ollama" {
		return ModelInfo{Free: true} // what it can is its server's choice, whatever its name
	}
	return findModel(name)
}

// Priced says whether what the model costs is known, be it nothing.
func (t ModelInfo) Priced() bool { return t.Free || t.Prices != (Prices{}) }

// Cost is what one request costs, in US dollars.
func (t ModelInfo) Cost(u lifecycle.Usage) float64 {
	if t.LongAt > 0 && u.InputTokens > t.LongAt {
		return t.Long.cost(u)
	}
	return t.Prices.cost(u)
}

func (p Prices) cost(u lifecycle.Usage) float64 {
	fresh := max(0, u.InputTokens-u.CachedTokens-u.CacheWriteTokens)
	return (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached +
		float64(u.CacheWriteTokens)*p.Written + float64(u.OutputTokens)*p.Output) / 1e6
}

// WithCacheDefaults fills in what a cache costs where nobody said: as much as other input.
func (p Prices) WithCacheDefaults() Prices {
	p.Cached, p.Written = cmp.Or(p.Cached, p.Input), cmp.Or(p.Written, p.Input)
	return p
}

// SplitModel parts "provider/name". The name may hold further slashes.
func SplitModel(full string) (provider, name string) {
	provider, name, _ = strings.Cut(full, "/")
	return provider, name
}
