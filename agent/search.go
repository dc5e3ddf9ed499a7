package agent

import (
	"encoding/json"
	"slices"

	"pawl/lifecycle"
)

// WebSearchTool is the name by which a type of subagent gets or loses the search of the web by its
// model's own server. It is no tool of Pawl's: nothing of it runs here.
const WebSearchTool = "web_search"

// WebSearch says what a model's own server may search, within an answer and without asking
// anybody. The zero value is all of the web.
type WebSearch struct {
	Allowed []string // hosts with all below them, and nothing else; none: all
	Blocked []string // hosts that are left out; none if there are Allowed ones
}

// Search is what a provider's server did on the web within an answer, or which pages the text
// before it cites.
type Search struct {
	lifecycle.Searched
	Raw      json.RawMessage // what the provider wants back in this place; opaque
	Provider string          // who wrote it; other providers are not sent it
}

// warnSearch records, once a run and model, that the model is not offered searches that a rule
// allows.
func (t *activeRun) warnSearch(why string) error {
	if why == "" {
		return nil
	}
	return t.warnOnce(lifecycle.WarnSearch, "search of "+t.name, t.name+" "+why)
}

// cited lists the pages that a message cites, each once.
func cited(m Message) (pages []lifecycle.Page) {
	for _, part := range m.Parts {
		if part.Search == nil {
			continue
		}
		for _, page := range part.Search.Cited {
			if !slices.ContainsFunc(pages, func(p lifecycle.Page) bool { return p.URL == page.URL }) {
				pages = append(pages, page)
			}
		}
	}
	return pages
}
