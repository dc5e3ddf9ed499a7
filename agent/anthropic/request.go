package anthropic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// request is the body of a request.
type request struct {
	Model     string    `json:"model"`
	MaxTokens int64     `json:"max_tokens"`
	Stream    bool      `json:"stream"`
	Thinking  *thinking `json:"thinking,omitempty"`
	Output    *output   `json:"output_config,omitempty"`
	Tools     []tool    `json:"tools,omitempty"`
	System    []block   `json:"system,omitempty"`
	Messages  []message `json:"messages"`
}

type output struct {
	Effort string `json:"effort"`
}

type tool struct {
	Type           string          `json:"type,omitempty"` // of a server tool
	Name           string          `json:"name"`
	Description    string          `json:"description,omitempty"`
	InputSchema    json.RawMessage `json:"input_schema,omitempty"`
	MaxUses        int             `json:"max_uses,omitempty"`
	AllowedDomains []string        `json:"allowed_domains,omitempty"`
	BlockedDomains []string        `json:"blocked_domains,omitempty"`
	CacheControl   *cacheControl   `json:"cache_control,omitempty"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is content of any type, with the fields of all types.
type block struct {
	Type         string          `json:"type"`
	Text         string          `json:"text,omitempty"`
	Thinking     *string         `json:"thinking,omitempty"` // an empty one is sent too
	Signature    string          `json:"signature,omitempty"`
	Data         string          `json:"data,omitempty"`
	ID           string          `json:"id,omitempty"`
	Name         string          `json:"name,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	ToolUseID    string          `json:"tool_use_id,omitempty"`
	IsError      bool            `json:"is_error,omitempty"`
	Content      any             `json:"content,omitempty"`   // []block, or what a server tool has found, verbatim
	Citations    json.RawMessage `json:"citations,omitempty"` // verbatim
	Source       *source         `json:"source,omitempty"`
	CacheControl *cacheControl   `json:"cache_control,omitempty"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"`
}

type cacheControl struct {
	Type string `json:"type"`
}

// newRequest converts a request to Anthropic's format.
func newRequest(req agent.Request) (request, error) {
	r := request{Model: req.Model, MaxTokens: limit(req.Model, req.MaxTokens), Stream: true, Messages: messages(req.Messages, req.Search != nil)}
	if strings.TrimSpace(req.System) != "" {
		r.System = []block{text(req.System)}
	}
	for _, spec := range wire.Sorted(req.Tools) {
		schema := spec.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		if !json.Valid(schema) {
			return r, &agent.ProviderError{
				Kind: lifecycle.FailProvider, Message: fmt.Sprintf("the schema of tool %s is not valid JSON", spec.Name),
			}
		}
		r.Tools = append(r.Tools, tool{Name: spec.Name, Description: spec.Description, InputSchema: schema})
	}
	if req.Search != nil {
		r.Tools = append(r.Tools, searchTool(*req.Search))
	}
	r.Thinking = thinkingRequest(req, r)
	if req.Effort != "" && !budgeted(req.Model) {
		r.Output = &output{req.Effort}
	}
	r.setCacheBreakpoints()
	return r, nil
}

// resume asks the server to go on with an answer that it has paused.
func (r *request) resume(history []agent.Message, soFar agent.Message) {
	before := len(r.Messages)
	all := messages(append(slices.Clip(history), soFar), true)
	if before > 0 && r.Messages[before-1].Role == "assistant" { // it was resumed before
		before--
	}
	r.Messages = append(r.Messages[:before:before], all[before:]...)
}

// effort is the effort of the request as it is sent, and why that is none. A budget for
// thinking stands for one.
func (r request) effort(req agent.Request) (sent, why string) {
	switch {
	case req.Effort == "" || r.Output != nil || r.Thinking != nil && r.Thinking.Budget > 0:
		return req.Effort, ""
	case req.Thinking == agent.Able:
		return "", "takes effort as a budget for thinking, which cannot begin in the middle of a turn or in an answer this short; it is asked without"
	}
	return "", "takes effort as a budget for thinking, and is not asked to think; it is asked without"
}

// setCacheBreakpoints sets up to four cache breakpoints, the API's limit. Tools and system
// change least and have one each. The end of the history has one for the next request to
// find. The user turn before it has the fourth, where the last request's was, because the
// server looks back over twenty blocks only, fewer than one step with many calls can add.
func (r *request) setCacheBreakpoints() {
	ephemeral := &cacheControl{"ephemeral"}
	if n := len(r.Tools); n > 0 {
		r.Tools[n-1].CacheControl = ephemeral
	}
	if n := len(r.System); n > 0 {
		r.System[n-1].CacheControl = ephemeral
	}
	for i, left := len(r.Messages)-1, 2; i >= 0 && left > 0; i-- {
		m := r.Messages[i]
		if m.Role != "user" && i != len(r.Messages)-1 {
			continue
		}
		m.Content[len(m.Content)-1].CacheControl = ephemeral // never thinking, which is never last
		left--
	}
}
