package openai

import (
	"cmp"
	"encoding/json"

	"pawl/agent"
	"pawl/agent/wire"
)

// maxCallID is the API's limit for ids of calls. Its own are shorter.
const maxCallID = 64

// request is the body of a request. Equal requests have equal encodings, and a longer
// transcript's begins with that of the shorter one, so that the server's prefix cache works.
type request struct {
	Model        string   `json:"model"`
	Store        bool     `json:"store"`
	Stream       bool     `json:"stream"`
	CacheKey     string   `json:"prompt_cache_key"`
	MaxOutput    int      `json:"max_output_tokens,omitempty"`
	Include      []string `json:"include,omitempty"`
	Reasoning    *wish    `json:"reasoning,omitempty"`
	Instructions string   `json:"instructions,omitempty"`
	Tools        []any    `json:"tools,omitempty"` // tool or searchTool
	Input        []any    `json:"input"`           // the items below
}

// wish is how much to reason, and whether to show it.
type wish struct {
	Effort  string `json:"effort,omitempty"`
	Summary string `json:"summary,omitempty"`
}

type tool struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Strict      bool           `json:"strict"`
	Parameters  map[string]any `json:"parameters"`
}

// searchTool is the search of the web, which OpenAI's server does.
type searchTool struct {
	Type    string   `json:"type"`
	Filters *filters `json:"filters,omitempty"`
}

type filters struct {
	Allowed []string `json:"allowed_domains"`
}

type userItem struct {
	Role    string  `json:"role"`
	Content []input `json:"content"`
}

type messageItem struct {
	Type    string   `json:"type"`
	Role    string   `json:"role"`
	Phase   string   `json:"phase,omitempty"`
	Content []output `json:"content"`
}

type reasoningItem struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Summary   []input `json:"summary"`
	Encrypted string  `json:"encrypted_content"`
}

type callItem struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type resultItem struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output any    `json:"output"` // a string, or []input
}

// input is a part of what a model reads.
type input struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	Detail   string `json:"detail,omitempty"`
	ImageURL string `json:"image_url,omitempty"`
}

// output is a part of what it wrote.
type output struct {
	Type        string            `json:"type"`
	Text        string            `json:"text"`
	Annotations []json.RawMessage `json:"annotations"` // sent even if empty: servers require it
}

func (p *Provider) request(req agent.Request) request {
	p.mu.Lock()
	defer p.mu.Unlock()
	without := p.without[req.Model]
	if req.Thinking == agent.Unable {
		without.summary, without.encrypted = true, true // they would only be refused
	}
	r := request{
		Model: req.Model, Stream: true, CacheKey: wire.CacheKey(req), MaxOutput: max(0, req.MaxTokens),
		Instructions: req.System, Tools: tools(req.Tools), Input: []any{},
	}
	if !without.encrypted {
		r.Include = []string{"reasoning.encrypted_content"}
	}
	if tool, ok, _ := p.searchOf(req); ok {
		r.Tools = append(r.Tools, tool)
		r.Include = append(r.Include, "web_search_call.action.sources")
	}
	how := wish{Effort: req.Effort}
	if !without.summary {
		how.Summary = "auto"
	}
	if how != (wish{}) {
		r.Reasoning = &how
	}
	for _, m := range req.Messages {
		if m.Role != agent.RoleUser {
			r.Input = append(r.Input, p.items(m)...)
		} else if content := question(m); content != nil {
			r.Input = append(r.Input, userItem{Role: "user", Content: content})
		}
	}
	return r
}

func tools(specs []agent.ToolSpec) []any {
	var list []any
	for _, spec := range wire.Sorted(specs) {
		list = append(list, tool{
			Type: "function", Name: spec.Name, Description: spec.Description, Parameters: wire.Schema(spec.Schema),
		})
	}
	return list
}

func question(m agent.Message) []input {
	var content []input
	for _, part := range m.Parts {
		switch {
		case part.Image != nil:
			content = append(content, picture(*part.Image, "auto"))
		case part.Text != "":
			content = append(content, input{Type: "input_text", Text: part.Text})
		}
	}
	return content
}

// picture is a text for images that the API does not accept.
func picture(image agent.Image, detail string) input {
	if !wire.Supported(image) {
		return input{Type: "input_text", Text: wire.ImageOmitted(image)}
	}
	return input{Type: "input_image", Detail: detail, ImageURL: wire.DataURL(image)}
}

// items converts an assistant or tool message. Reasoning is sent only with the item that
// followed it, because the API refuses it alone. The caller holds the lock.
func (p *Provider) items(m agent.Message) []any {
	var items, thoughts []any
	phase := ""
	for _, part := range m.Parts {
		if t := part.Thinking; t != nil {
			if its, ok := phaseOf(*t); ok {
				phase = its
				continue
			}
			// Without its encrypted form the server would look it up among stored items,
			// and nothing is stored.
			if t.Provider == name && t.Signature != "" && !p.unreadable[t.ID] {
				thoughts = append(thoughts, reasoning(*t))
			}
			continue
		}
		var item any
		switch {
		case part.Call != nil:
			item = call(*part.Call)
		case part.Result != nil:
			item = result(*part.Result)
		case part.Search != nil:
			if item = searchItem(*part.Search); item == nil {
				cite(items, *part.Search)
				continue
			}
		case part.Text != "":
			said := output{Type: "output_text", Text: part.Text, Annotations: []json.RawMessage{}}
			item = messageItem{Type: "message", Role: "assistant", Phase: phase, Content: []output{said}}
			phase = ""
		default:
			continue
		}
		items = append(append(items, thoughts...), item)
		thoughts = nil
	}
	return items
}

func call(c agent.Call) callItem {
	return callItem{
		Type: "function_call", CallID: wire.ShortCallID(c.ID, maxCallID),
		Name: cmp.Or(wire.Identifier(c.Name, "", 64), "unnamed"), Arguments: string(wire.Object(c.Input)),
	}
}

func reasoning(t agent.Thinking) reasoningItem {
	item := reasoningItem{Type: "reasoning", ID: t.ID, Summary: []input{}, Encrypted: t.Signature}
	if t.Text != "" {
		item.Summary = append(item.Summary, input{Type: "summary_text", Text: t.Text})
	}
	return item
}

func result(r agent.CallResult) resultItem {
	item := resultItem{Type: "function_call_output", CallID: wire.ShortCallID(r.Call, maxCallID), Output: r.Text}
	if len(r.Images) == 0 {
		return item
	}
	var content []input
	if r.Text != "" {
		content = append(content, input{Type: "input_text", Text: r.Text})
	}
	for _, image := range r.Images {
		content = append(content, picture(image, ""))
	}
	item.Output = content
	return item
}
