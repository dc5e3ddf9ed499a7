package agent

import (
	"strings"

	"pawl/lifecycle"
)

// Prices of a model, in US dollars for a million tokens. Zero means unknown or
// free; both cost nothing on the screen.
type Prices struct {
	Input, Cached, Output float64
}

// prices are the list prices of the makers' own pages as this was written, by
// the longest matching prefix of a model's name.
var prices = map[string]Prices{
	"claude-opus-4":    {Input: 5, Cached: 0.5, Output: 25},
	"claude-sonnet-4":  {Input: 3, Cached: 0.3, Output: 15},
	"claude-haiku-4":   {Input: 1, Cached: 0.1, Output: 5},
	"gpt-5":            {Input: 1.25, Cached: 0.125, Output: 10},
	"gpt-5-mini":       {Input: 0.25, Cached: 0.025, Output: 2},
	"gpt-5-nano":       {Input: 0.05, Cached: 0.005, Output: 0.4},
	"gpt-4.1":          {Input: 2, Cached: 0.5, Output: 8},
	"gpt-4.1-mini":     {Input: 0.4, Cached: 0.1, Output: 1.6},
	"gemini-2.5-pro":   {Input: 1.25, Cached: 0.31, Output: 10},
	"gemini-2.5-flash": {Input: 0.3, Cached: 0.075, Output: 2.5},
}

// PricesOf finds the prices of a model by its own name, without the provider.
func PricesOf(model string) Prices {
	var best string
	for prefix := range prices {
		if strings.HasPrefix(model, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return prices[best]
}

// Cost is what this usage costs, in US dollars.
func (p Prices) Cost(u lifecycle.Usage) float64 {
	fresh := max(0, u.InputTokens-u.CachedTokens)
	return (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached + float64(u.OutputTokens)*p.Output) / 1e6
}

// SplitModel parts "provider/name". The name may hold further slashes.
func SplitModel(full string) (provider, name string) {
	provider, name, _ = strings.Cut(full, "/")
	return provider, name
}
