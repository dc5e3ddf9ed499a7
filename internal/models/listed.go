package models

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
)

// Catalog is what pawl models prints.
type Catalog struct {
	Models []Row     `json:"models"`
	Failed []Unasked `json:"failed"` // providers that could not be asked
	Unset  []string  `json:"unset"`  // variables that would enable more providers
	// WithoutKey are the providers that are not asked because they have no key.
	WithoutKey []Wanting `json:"without_key"`

	Asked  int // how many servers were asked
	Hidden int // how many models without text output were left out
}

// Unasked is a provider that could not be asked, with the reason and what to do.
type Unasked struct {
	Provider string `json:"provider"`
	Says     string `json:"says"`
	Do       string `json:"do"`
}

// Wanting is a provider without a key, and how it gets one.
type Wanting struct {
	Provider string `json:"provider"`
	Do       string `json:"do"`
}

// WithoutKeys says in one line which providers were not asked for want of a key; empty if all
// were.
func (c Catalog) WithoutKeys() string {
	var names []string
	for _, p := range c.WithoutKey {
		names = append(names, p.Provider)
	}
	if len(names) == 0 {
		return ""
	}
	return "not asked, because they have no key: " + strings.Join(names, ", ") + "; pawl login lists what each needs"
}

// NewCatalog combines what the servers offer with what is known: models with filter in their
// names; those without text output only if all is set. Without any server it lists the built-in
// models.
func NewCatalog(m *Set, asked []Listing, inUse, filter string, all bool) Catalog {
	found := Catalog{Models: []Row{}, Failed: []Unasked{}, Unset: []string{}, WithoutKey: []Wanting{}, Asked: len(asked)}
	for _, p := range m.providers {
		if m.Lacks(p) == "" {
			continue
		}
		if p.Secret {
			found.WithoutKey = append(found.WithoutKey, Wanting{p.Name, p.ToDo()})
		}
		if p.Variable != "" && !slices.Contains(found.Unset, p.Variable) {
			found.Unset = append(found.Unset, p.Variable)
		}
	}
	keep := func(model string, offer agent.ModelListing) {
		if !strings.Contains(strings.ToLower(model), strings.ToLower(filter)) {
			return
		}
		if !all && !writes(offer.Name) && model != inUse {
			found.Hidden++
			return
		}
		found.Models = append(found.Models, m.NewRow(model, m.Info(model).Fill(offer), inUse))
	}
	for _, l := range asked {
		if l.Err != nil {
			found.Failed = append(found.Failed, Unasked{l.Provider.Name, l.Says(), l.Do()})
			continue
		}
		for _, offer := range l.Offers {
			keep(l.Provider.Name+"/"+offer.Name, offer)
		}
	}
	if len(asked) == 0 {
		for _, name := range agent.ListedModels() {
			keep(MakerOf(name)+"/"+name, agent.ModelListing{Name: name})
		}
	}
	keep(Demo, agent.ModelListing{Name: Demo})
	return found
}

// MakerOf is the provider of a built-in model.
func MakerOf(name string) string {
	switch {
	case strings.HasPrefix(name, "claude-"):
		return "anthropic"
	case strings.HasPrefix(name, "gemini-"):
		return "gemini"
	}
	return "openai"
}

// Sells reports whether a provider certainly has a built-in model.
func (m *Set) Sells(p Provider, name string) bool { return m.maker(p) == MakerOf(name) }

// writes reports whether a model answers in text, judged by its name: OpenAI's list says nothing
// else about a model's purpose.
func writes(name string) bool {
	for _, kind := range []string{
		"embed", "whisper", "tts", "dall-e", "image", "moderation", "realtime", "audio", "transcribe", "sora", "-live", "babbage", "davinci", "rerank",
	} {
		if strings.Contains(name, kind) {
			return false
		}
	}
	return true
}

// Explained says in one line why the provider could not be asked.
func (f Unasked) Explained() string {
	return fmt.Sprintf("%s cannot be asked: %s; %s", f.Provider, f.Says, f.Do)
}
