package agent

import (
	"slices"
	"strings"

	"pawl/lifecycle"
)

// Prices of a model, in US dollars for a million tokens. Zero means unknown or
// free; both cost nothing on the screen.
type Prices struct {
	Input, Cached, Output float64
}

// Traits are what is known of a model before it is asked. A zero is not known.
type Traits struct {
	Prices  Prices
	Free    bool // it costs nothing wherever it is asked, so no price is missing
	Context int  // tokens that a request and its answer may have together
	Output  int  // tokens that an answer may have
	Blind   bool // it takes no images
}

// TraitsOf finds the traits of a model ("provider/name") in what is built in.
func TraitsOf(model string) Traits {
	_, name := SplitModel(model)
	return Traits{Prices: PricesOf(name), Free: Free(model)}
}

// prices are list prices as far as they were to be had when this was written, by the
// longest name that a model's name is or goes on from.
var prices = map[string]Prices{
	"claude-opus-4":         {Input: 5, Cached: 0.5, Output: 25},
	"claude-opus-4-0":       {Input: 15, Cached: 1.5, Output: 75},
	"claude-opus-4-1":       {Input: 15, Cached: 1.5, Output: 75},
	"claude-opus-5":         {Input: 5, Cached: 0.5, Output: 25},
	"claude-sonnet-4":       {Input: 3, Cached: 0.3, Output: 15},
	"claude-sonnet-5":       {Input: 2, Cached: 0.2, Output: 10},
	"claude-haiku-4":        {Input: 1, Cached: 0.1, Output: 5},
	"gpt-5.5":               {Input: 5, Cached: 0.5, Output: 30},
	"gpt-5.5-pro":           {Input: 30, Cached: 30, Output: 180},
	"gpt-5.4":               {Input: 2.5, Cached: 0.25, Output: 15},
	"gpt-5":                 {Input: 1.25, Cached: 0.125, Output: 10},
	"gpt-5-mini":            {Input: 0.25, Cached: 0.025, Output: 2},
	"gpt-5-nano":            {Input: 0.05, Cached: 0.005, Output: 0.4},
	"gpt-4.1":               {Input: 2, Cached: 0.5, Output: 8},
	"gpt-4.1-mini":          {Input: 0.4, Cached: 0.1, Output: 1.6},
	"gemini-2.5-pro":        {Input: 1.25, Cached: 0.31, Output: 10},
	"gemini-2.5-flash":      {Input: 0.3, Cached: 0.075, Output: 2.5},
	"gemini-2.5-flash-lite": {Input: 0.1, Cached: 0.025, Output: 0.4},
}

// unpriced are names that go on from a priced one and cost something else.
var unpriced = []string{"claude-opus-5-5", "gpt-5-pro", "gpt-5.4-mini", "gpt-5.4-nano", "gpt-5.4-pro", "gpt-4.1-nano"}

// PricesOf finds the prices of a model by its own name, without the provider. A
// name goes on behind a hyphen: gpt-5.5 is no sort of gpt-5.
func PricesOf(model string) Prices {
	is := func(name string) bool { return model == name || strings.HasPrefix(model, name+"-") }
	if slices.ContainsFunc(unpriced, is) {
		return Prices{}
	}
	var best string
	for name := range prices {
		if is(name) && len(name) > len(best) {
			best = name
		}
	}
	return prices[best]
}

// Cost is what this usage costs, in US dollars.
func (p Prices) Cost(u lifecycle.Usage) float64 {
	fresh := max(0, u.InputTokens-u.CachedTokens)
	return (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached + float64(u.OutputTokens)*p.Output) / 1e6
}

// Free says that a model costs nothing wherever it is asked: one without a price
// in the table need not.
func Free(model string) bool {
	provider, _ := SplitModel(model)
	return provider == "demo" || provider == "ollama"
}

// SplitModel parts "provider/name". The name may hold further slashes.
func SplitModel(full string) (provider, name string) {
	provider, name, _ = strings.Cut(full, "/")
	return provider, name
}
