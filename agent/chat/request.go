package chat

import (
	"cmp"
	"encoding/json"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// maxCallID is OpenAI's limit. Other servers have no known limit, and some encode data in
// their ids that must come back unchanged.
const maxCallID = 40

// request is the body of a request. Equal requests have equal encodings, and a longer
// transcript's begins with that of the shorter one, so that the server's prefix cache works.
type request struct {
	Model         string         `json:"model"`
	Messages      []message      `json:"messages"`
	Tools         []tool         `json:"tools,omitempty"`
	Stream        bool           `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options,omitempty"`
	MaxTokens     int            `json:"max_tokens,omitempty"`
	MaxCompletion int            `json:"max_completion_tokens,omitempty"`
	CacheKey      string         `json:"prompt_cache_key,omitempty"`
	Effort        string         `json:"reasoning_effort,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role             string     `json:"role"`
	Content          any        `json:"content"` // a string, []content, or null beside calls
	ReasoningContent string     `json:"reasoning_content,omitempty"`
	Reasoning        string     `json:"reasoning,omitempty"`
	ToolCalls        []toolCall `json:"tool_calls,omitempty"`
	ToolCallID       string     `json:"tool_call_id,omitempty"`
}

type content struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type toolCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"` // a server's own field, sent back unchanged
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function toolSpec `json:"function"`
}

type toolSpec struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters"`
}

func (p *Provider) request(req agent.Request, d dialect) request {
	r := request{Model: req.Model, Stream: true, Tools: tools(req.Tools), Messages: []message{}, Effort: req.Effort}
	if !d.noUsage {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if p.limit(d) == "max_tokens" {
		r.MaxTokens = req.MaxTokens
	} else {
		r.MaxCompletion = req.MaxTokens
	}
	if p.official() {
		r.CacheKey = wire.CacheKey(req)
	}
	if req.System != "" {
		r.Messages = append(r.Messages, message{Role: "system", Content: req.System})
	}
	for _, m := range req.Messages {
		r.Messages = append(r.Messages, p.messages(m, d)...)
	}
	return r
}

func tools(specs []agent.ToolSpec) []tool {
	var list []tool
	for _, spec := range wire.Sorted(specs) {
		list = append(list, tool{Type: "function", Function: toolSpec{
			Name: spec.Name, Description: spec.Description, Parameters: wire.Schema(spec.Schema),
		}})
	}
	return list
}

// messages converts one message, which can become several or none.
func (p *Provider) messages(m agent.Message, d dialect) []message {
	switch m.Role {
	case agent.RoleAssistant:
		return p.assistant(m, d)
	case agent.RoleTool:
		return p.results(m)
	case agent.RoleUser:
		if parts := contents(m.Parts); parts != nil {
			return []message{{Role: "user", Content: parts}}
		}
	}
	return nil
}

// contents is a plain string if there are no images, because some servers accept nothing
// else. It is nil if there is nothing.
func contents(parts []agent.Part) any {
	var texts []string
	var list []content
	images := false
	for _, part := range parts {
		switch {
		case part.Image != nil:
			images = true
			list = append(list, picture(*part.Image))
		case part.Text != "":
			texts = append(texts, part.Text)
			list = append(list, content{Type: "text", Text: part.Text})
		}
	}
	if images {
		return list
	}
	if len(texts) == 0 {
		return nil
	}
	return strings.Join(texts, "\n\n")
}

// picture is a text for images that servers do not accept.
func picture(image agent.Image) content {
	if !wire.Supported(image) {
		return content{Type: "text", Text: wire.ImageOmitted(image)}
	}
	return content{Type: "image_url", ImageURL: &imageURL{URL: wire.DataURL(image)}}
}

func (p *Provider) assistant(m agent.Message, d dialect) []message {
	out := message{Role: "assistant"}
	if text := m.Text(); text != "" {
		out.Content = text
	}
	for _, call := range m.Calls() {
		piece := toolCall{ID: p.callID(call.ID), Type: "function", Function: function{
			Name: cmp.Or(wire.Identifier(call.Name, "", 64), "unnamed"), Arguments: string(wire.Object(call.Input)),
		}}
		if call.Provider == p.name && json.Valid([]byte(call.Signature)) {
			piece.Extra = json.RawMessage(call.Signature)
		}
		out.ToolCalls = append(out.ToolCalls, piece)
	}
	if out.Content == nil && out.ToolCalls == nil {
		return nil
	}
	if field, text := p.reasoning(m); !d.noReasoning {
		if field == "reasoning" {
			out.Reasoning = text
		} else {
			out.ReasoningContent = text
		}
	}
	return []message{out}
}

// reasoning is what is sent back of a message's reasoning, and in which field, as its
// signature says. Models that want it back want it with the calls that followed it.
// Reasoning that came inside the content is not sent.
func (p *Provider) reasoning(m agent.Message) (field, text string) {
	if len(m.Calls()) == 0 {
		return "", ""
	}
	for _, part := range m.Parts {
		if t := part.Thinking; t != nil && t.Provider == p.name && t.Signature != inContent {
			field, text = cmp.Or(field, t.Signature), text+t.Text
		}
	}
	return field, text
}

// results answers calls. Answers can only be text, so the images of all of them follow in
// a user message.
func (p *Provider) results(m agent.Message) []message {
	var out []message
	var images []content
	for _, part := range m.Parts {
		r := part.Result
		if r == nil {
			continue
		}
		out = append(out, message{Role: "tool", ToolCallID: p.callID(r.Call), Content: r.Text})
		if len(r.Images) > 0 {
			images = append(images, content{Type: "text", Text: "The result of " + r.Name + " (" + p.callID(r.Call) + ") has these images:"})
		}
		for _, image := range r.Images {
			images = append(images, picture(image))
		}
	}
	if images != nil {
		out = append(out, message{Role: "user", Content: images})
	}
	return out
}

// callID shortens an id that OpenAI would refuse, alike for a call and its result.
func (p *Provider) callID(id lifecycle.CallID) string {
	if !p.official() {
		return string(id)
	}
	return wire.ShortCallID(id, maxCallID)
}
