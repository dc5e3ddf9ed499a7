package settings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Model is what the user says about a model, under its name "provider/name", or a prefix
// with a * for all that begin with it. Each field overrides the built-in table; nil says
// nothing. Names contain slashes and dots, so no variable sets these.
type Model struct {
	Context         *int     `toml:"context" json:"context,omitempty"`                     // tokens, the answer's included
	Output          *int     `toml:"output" json:"output,omitempty"`                       // the most tokens of an answer; every answer is held to it
	InputPrice      *float64 `toml:"input_price" json:"input_price,omitempty"`             // US dollars per million tokens, like all prices
	CachedPrice     *float64 `toml:"cached_price" json:"cached_price,omitempty"`           // for input read from a cache
	CacheWritePrice *float64 `toml:"cache_write_price" json:"cache_write_price,omitempty"` // for input written to a cache
	OutputPrice     *float64 `toml:"output_price" json:"output_price,omitempty"`
	Images          *bool    `toml:"images" json:"images,omitempty"`     // it takes images
	Thinking        *bool    `toml:"thinking" json:"thinking,omitempty"` // it can show its thinking, if asked
	Effort          []string `toml:"effort" json:"effort,omitzero"`      // the levels that it takes, in its maker's words; none: it takes no effort

	Where string `toml:"-" json:"-"` // its file and line
}

// modelKeys are the keys of one model.
func modelKeys() []string {
	return []string{"context", "output", "input_price", "cached_price", "cache_write_price", "output_price", "images", "thinking", "effort"}
}

// checkModels refuses invalid entries, and sets the Where of each.
func checkModels(models map[string]Model, path string, at rows) error {
	var found []error
	for _, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		m.Where = at.place(path, "models", name)
		models[name] = m
		provider, rest, _ := strings.Cut(name, "/")
		if star := strings.IndexByte(name, '*'); provider == "" || rest == "" || star >= 0 && star < len(name)-1 {
			found = append(found, &Error{m.Where, fmt.Sprintf(`models.%q: must be "provider/name", or "provider/beginning*" for all models that begin so`, name)})
		}
		if key, why := m.wrong(); key != "" {
			found = append(found, &Error{at.place(path, "models", name, key), fmt.Sprintf("models.%q.%s %s", name, key, why)})
		}
	}
	return All(found...)
}

// wrong returns the first key with an invalid value, and what it takes.
func (m Model) wrong() (key, why string) {
	for _, n := range []struct {
		key   string
		value *int
	}{{"context", m.Context}, {"output", m.Output}} {
		if n.value != nil && *n.value < 1 {
			return n.key, fmt.Sprintf("%d: must be a number of tokens, 1 or more", *n.value)
		}
	}
	if m.Context != nil && m.Output != nil && *m.Output > *m.Context {
		return "output", fmt.Sprintf("%d: must be at most the context, %d", *m.Output, *m.Context)
	}
	for _, p := range []struct {
		key   string
		value *float64
	}{
		{"input_price", m.InputPrice},
		{"cached_price", m.CachedPrice},
		{"cache_write_price", m.CacheWritePrice},
		{"output_price", m.OutputPrice},
	} {
		if p.value != nil && (*p.value < 0 || math.IsNaN(*p.value) || math.IsInf(*p.value, 0)) {
			return p.key, fmt.Sprintf("%v: must be an amount in US dollars for a million tokens, such as 2.50; 0 means free", *p.value)
		}
	}
	for _, level := range m.Effort {
		if !slices.Contains(lifecycle.EffortLevels(), level) {
			return "effort", fmt.Sprintf("%q: must be a list of %s", level, words.Alternatives(lifecycle.EffortLevels()))
		}
	}
	switch {
	case m.InputPrice != nil && m.OutputPrice == nil:
		return "input_price", "needs output_price too: without it, half of what a run costs is missing"
	case m.OutputPrice != nil && m.InputPrice == nil:
		return "output_price", "needs input_price too: without it, half of what a run costs is missing"
	}
	return "", ""
}
