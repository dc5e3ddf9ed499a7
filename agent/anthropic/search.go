package anthropic

import (
	"encoding/json"
	"slices"

	"pawl/agent"
	"pawl/lifecycle"
)

// Searches of the web are made by Anthropic's server within an answer
// (platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool). This version of the
// tool is the one that every model takes which can search.
const (
	searchType  = "web_search_20250305"
	searchName  = "web_search"
	maxSearches = 10 // of one answer: each costs
)

func searchTool(w agent.WebSearch) tool {
	return tool{Type: searchType, Name: searchName, MaxUses: maxSearches, AllowedDomains: w.Allowed, BlockedDomains: w.Blocked}
}

// searched is a search with its result, as the server wants both back. In a paused answer the
// search may stand without its result, and in the one that goes on the result without it.
type searched struct {
	ID     string          `json:"id"`
	Input  json.RawMessage `json:"input,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
}

// searchBlocks are a search and its result; none for what another provider did.
func searchBlocks(s agent.Search) []block {
	var raw searched
	if s.Provider != Name || len(s.Cited) > 0 || json.Unmarshal(s.Raw, &raw) != nil {
		return nil
	}
	var blocks []block
	if len(raw.Input) > 0 {
		blocks = append(blocks, block{Type: "server_tool_use", ID: raw.ID, Name: searchName, Input: raw.Input})
	}
	if len(raw.Result) > 0 {
		blocks = append(blocks, block{Type: "web_search_tool_result", ToolUseID: raw.ID, Content: raw.Result})
	}
	return blocks
}

// cite gives a text the citations that it came with.
func cite(blocks []block, s agent.Search) {
	if n := len(blocks); s.Provider == Name && len(s.Cited) > 0 && n > 0 && blocks[n-1].Type == "text" {
		blocks[n-1].Citations = s.Raw
	}
}

// found reads what a search has found: a list of pages, or why there is none.
func found(s *lifecycle.Searched, result json.RawMessage) {
	var pages []struct {
		URL   string `json:"url"`
		Title string `json:"title"`
	}
	if json.Unmarshal(result, &pages) == nil {
		for _, page := range pages {
			s.Found = append(s.Found, lifecycle.Page{URL: page.URL, Title: page.Title})
		}
		return
	}
	var failed struct {
		Code string `json:"error_code"`
	}
	_ = json.Unmarshal(result, &failed) // another shape says nothing
	s.Error = "failed"
	if failed.Code != "" {
		s.Error = failed.Code
	}
}

// asked is the query of a search.
func asked(input json.RawMessage) string {
	var of struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal(input, &of) // the server wrote it
	return of.Query
}

// citation is one of a text's, with the fields that Pawl reads.
type citation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// citing makes the part that follows a text with citations of pages; ok is false if there are none.
func citing(all []json.RawMessage) (part agent.Part, ok bool) {
	s := agent.Search{Provider: Name}
	var ofPages []json.RawMessage
	for _, raw := range all {
		var one citation
		if json.Unmarshal(raw, &one) != nil || one.URL == "" {
			continue // of something that was not searched for
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

// begunSearches are the inputs of the searches in a paused answer that wait for their results.
func begunSearches(m agent.Message) map[string]json.RawMessage {
	begun := map[string]json.RawMessage{}
	for _, part := range m.Parts {
		var raw searched
		if part.Search != nil && json.Unmarshal(part.Search.Raw, &raw) == nil && len(raw.Result) == 0 {
			begun[raw.ID] = raw.Input
		}
	}
	return begun
}
