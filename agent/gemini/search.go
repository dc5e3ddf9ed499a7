package gemini

import (
	"encoding/json"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// Searches of the web are made by Google's server within an answer
// (ai.google.dev/gemini-api/docs/google-search). Beside functions only models from generation 3 on
// have them, and then show each search and its result as parts that have to come back
// (ai.google.dev/gemini-api/docs/tool-combination).

// searchName is what a search is called while it goes on.
const searchName = "google_search"

// refusals are the names that Google's errors have for searches.
var refusals = []string{
	searchName, "google search", "googlesearch", "search as tool", "grounding",
	"built-in tool", "server_side_tool", "serversidetool", "tool use with function calling",
}

// toolConfig says how tools are used.
type toolConfig struct {
	ShowServerTools bool `json:"includeServerSideToolInvocations"`
}

// showsSearches reports whether a model shows its searches as parts, and takes them back.
func (p *Provider) showsSearches(model string) bool {
	return !p.vertex && generation(model) >= 3 && !p.searches.Refused(model)
}

// offersSearch reports whether a request offers the search; or, for people, why it does not offer one
// that it could. Google's Gemini API knows no hosts to keep to and none to leave out.
func (p *Provider) offersSearch(req agent.Request) (ok bool, why string) {
	switch {
	case req.Search == nil:
		return false, ""
	case p.searches.Refused(req.Model):
		return false, wire.NoSearch
	case len(req.Search.Allowed)+len(req.Search.Blocked) > 0:
		return false, "cannot keep its searches of the web to some hosts; it is asked without"
	case generation(req.Model) < 2:
		return false, "cannot search the web; it is asked without"
	case len(req.Tools) > 0 && !p.showsSearches(req.Model):
		return false, "cannot search the web beside other tools; it is asked without"
	}
	return true, ""
}

// addSearch puts the search into a request, and what belongs to searches in its history.
func (p *Provider) addSearch(r *request, req agent.Request) {
	offered, _ := p.offersSearch(req)
	if offered {
		r.Tools = append(r.Tools, tools{Search: &struct{}{}})
	}
	if p.showsSearches(req.Model) && (offered || slices.ContainsFunc(r.Contents, searched)) {
		r.ToolConfig = &toolConfig{ShowServerTools: true}
	}
}

// sendsSearch reports whether a request has to do with searches, so that a server may refuse it for
// that.
func (p *Provider) sendsSearch(req agent.Request) bool {
	offered, _ := p.offersSearch(req)
	return offered || p.showsSearches(req.Model) && slices.ContainsFunc(contents(req.Model, req.Messages, true), searched)
}

// searched reports whether a content holds a search.
func searched(c content) bool {
	return slices.ContainsFunc(c.Parts, func(p part) bool { return len(p.ServerCall)+len(p.ServerResult) > 0 })
}

// searchParts are a search and its result as they came; none of another provider's, and none for
// what an answer cites.
func searchParts(s agent.Search) (parts []part) {
	if s.Provider != Name || len(s.Raw) == 0 || json.Unmarshal(s.Raw, &parts) != nil {
		return nil
	}
	return parts
}

// invocation is a search or its result, with the fields that Pawl reads.
type invocation struct {
	ID   string `json:"id"`
	Args struct {
		Queries []string `json:"queries"`
	} `json:"args"`
}

// server takes in a part of a search. Those that follow each other are kept as one.
func (a *answer) server(of part) error {
	var did invocation
	raw := of.ServerCall
	if len(raw) == 0 {
		raw = of.ServerResult
	}
	if err := json.Unmarshal(raw, &did); err != nil {
		return a.peer.Malformed("a search of the web is not an object")
	}
	p := a.last()
	if p == nil || p.Search == nil {
		p = a.begin(agent.Part{Search: &agent.Search{Provider: Name}})
	}
	kept, err := json.Marshal(append(searchParts(*p.Search), part{Signature: of.Signature, ServerCall: of.ServerCall, ServerResult: of.ServerResult}))
	if err != nil {
		return a.peer.Malformed("a search of the web is not JSON")
	}
	p.Search.Raw = kept
	if len(of.ServerCall) == 0 {
		a.report(did.ID)
		return nil
	}
	query := strings.Join(did.Args.Queries, "; ")
	if p.Search.Query != "" && query != "" {
		query = p.Search.Query + "; " + query
	}
	p.Search.Query = query
	a.searches += len(did.Args.Queries)
	a.begun = append(a.begun, did)
	a.on(agent.Delta{Call: searchName})
	return nil
}

// report passes on the search with this id, which is done.
func (a *answer) report(id string) {
	i := slices.IndexFunc(a.begun, func(one invocation) bool { return one.ID == id })
	if i < 0 {
		return
	}
	if query := strings.Join(a.begun[i].Args.Queries, "; "); query != "" {
		a.on(agent.Delta{Search: &lifecycle.Searched{Query: query}})
	}
	a.begun = slices.Delete(a.begun, i, i+1)
}

// grounding is what an answer rests on. It comes with the last chunks of an answer.
type grounding struct {
	Queries []string `json:"webSearchQueries"`
	Chunks  []struct {
		Web struct {
			URI   string `json:"uri"`
			Title string `json:"title"`
		} `json:"web"`
	} `json:"groundingChunks"`
}

// ground takes in what an answer rests on. Of a model that does not show its searches, this says
// what it has searched for.
func (a *answer) ground(g grounding) {
	for _, chunk := range g.Chunks {
		page := lifecycle.Page{URL: chunk.Web.URI, Title: chunk.Web.Title}
		if page.URL != "" && !slices.Contains(a.cited, page) {
			a.cited = append(a.cited, page)
		}
	}
	if a.searches > 0 || len(g.Queries) == 0 {
		return
	}
	a.searches = 1 // which are billed by the answer
	did := lifecycle.Searched{Query: strings.Join(g.Queries, "; ")}
	a.begin(agent.Part{Search: &agent.Search{Searched: did, Provider: Name}})
	a.on(agent.Delta{Search: &did})
}

// ended closes what belongs to searches at the end of an answer.
func (a *answer) ended() {
	for len(a.begun) > 0 {
		a.report(a.begun[0].ID)
	}
	if len(a.cited) > 0 {
		a.begin(agent.Part{Search: &agent.Search{Searched: lifecycle.Searched{Cited: a.cited}, Provider: Name}})
	}
}
