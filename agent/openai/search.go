package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// Searches of the web are made by OpenAI's server within an answer
// (developers.openai.com/api/docs/guides/tools-web-search).

// searchName is what a search is called while it goes on.
const searchName = "web_search"

// searchOf is the search that a request offers; or, for people, why it offers none that it could.
// The API knows hosts to keep to, but none to leave out.
func (p *Provider) searchOf(req agent.Request) (t searchTool, ok bool, why string) {
	switch {
	case req.Search == nil:
		return t, false, ""
	case len(req.Search.Blocked) > 0:
		return t, false, "cannot leave hosts out of its searches of the web; it is asked without"
	case p.searches.Refused(req.Model):
		return t, false, wire.NoSearch
	}
	t.Type = searchName
	if len(req.Search.Allowed) > 0 {
		t.Filters = &filters{req.Search.Allowed}
	}
	return t, true, ""
}

// refusesSearch reports whether a server objects to the search of a request, and remembers that.
// It may say only where in the request the tool stands.
func (p *Provider) refusesSearch(model string, err error) bool {
	names := []string{searchName, "web search"}
	if said, ok := wire.Objection(err); ok && strings.HasPrefix(said.Param, "tools") {
		names = append(names, "") // in whatever words
	}
	return p.searches.Learn(model, err, names...)
}

// action is what the server did, with the fields that Pawl reads.
type action struct {
	Type    string   `json:"type"` // search, open_page or find_in_page
	Query   string   `json:"query"`
	Queries []string `json:"queries"`
	URL     string   `json:"url"`
	Sources []struct {
		URL string `json:"url"`
	} `json:"sources"`
}

// annotation is a part of a text that cites a page.
type annotation struct {
	Type  string `json:"type"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// searched makes the part of a finished item. What it was answered with is kept for the next
// request, without its sources: the server found them, and wants none back.
func searched(id, status string, raw json.RawMessage) (*agent.Search, error) {
	var did action
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &did); err != nil {
		return nil, err
	}
	_ = json.Unmarshal(raw, &fields) // it was an object
	delete(fields, "sources")
	s := agent.Search{Provider: name}
	switch did.Type {
	case "open_page", "find_in_page":
		s.Opened = did.URL
	default:
		s.Query = cmp.Or(did.Query, first(did.Queries))
	}
	for _, source := range did.Sources {
		s.Found = append(s.Found, lifecycle.Page{URL: source.URL})
	}
	if status == "failed" {
		s.Error = "failed"
	}
	var err error
	s.Raw, err = json.Marshal(map[string]any{"type": "web_search_call", "id": id, "status": status, "action": fields})
	return &s, err
}

func first(of []string) string {
	if len(of) == 0 {
		return ""
	}
	return of[0]
}

// searchItem is a search as it goes back; nil for what another provider did, and for citations.
func searchItem(s agent.Search) any {
	if s.Provider != name || len(s.Cited) > 0 || len(s.Raw) == 0 {
		return nil
	}
	return s.Raw
}

// cite gives the text before it the citations that it came with.
func cite(items []any, s agent.Search) {
	if len(items) == 0 || s.Provider != name {
		return
	}
	said, is := items[len(items)-1].(messageItem)
	var all []json.RawMessage
	if is && json.Unmarshal(s.Raw, &all) == nil {
		said.Content[0].Annotations = all
	}
}

// citing makes the part that follows a text with citations of pages; ok is false if there are none.
func citing(all []json.RawMessage) (part agent.Part, ok bool) {
	s := agent.Search{Provider: name}
	var ofPages []json.RawMessage
	for _, raw := range all {
		var one annotation
		if json.Unmarshal(raw, &one) != nil || one.Type != "url_citation" {
			continue
		}
		ofPages = append(ofPages, raw)
		page := lifecycle.Page{URL: one.URL, Title: one.Title}
		if !slices.Contains(s.Cited, page) {
			s.Cited = append(s.Cited, page)
		}
	}
	s.Raw, _ = json.Marshal(ofPages) // each was JSON
	return agent.Part{Search: &s}, len(ofPages) > 0
}
