package gemini

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// request is the body of a request.
type request struct {
	System            *content         `json:"systemInstruction,omitempty"`
	Tools             []tools          `json:"tools,omitempty"`
	ToolConfig        *toolConfig      `json:"toolConfig,omitempty"`
	Config            generationConfig `json:"generationConfig"`
	Contents          []content        `json:"contents"`
	ContinuationToken string           `json:"continuationToken,omitempty"`
}

type content struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// part is a piece of content, in requests and answers alike.
type part struct {
	Text      string            `json:"text,omitempty"`
	Thought   bool              `json:"thought,omitempty"`
	Signature string            `json:"thoughtSignature,omitempty"`
	Data      *blob             `json:"inlineData,omitempty"`
	Call      *functionCall     `json:"functionCall,omitempty"`
	Result    *functionResponse `json:"functionResponse,omitempty"`

	ServerCall   json.RawMessage `json:"toolCall,omitempty"`     // of a tool that the server has
	ServerResult json.RawMessage `json:"toolResponse,omitempty"` // and used
}

type blob struct {
	MimeType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// tools are the functions or, in another element of the list, the search.
type tools struct {
	Declarations []declaration `json:"functionDeclarations,omitempty"`
	Search       *struct{}     `json:"googleSearch,omitempty"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

type generationConfig struct {
	MaxOutputTokens int             `json:"maxOutputTokens,omitempty"`
	Thinking        *thinkingConfig `json:"thinkingConfig,omitempty"`
}

type thinkingConfig struct {
	IncludeThoughts bool   `json:"includeThoughts"`
	Budget          int    `json:"thinkingBudget,omitempty"`
	Level           string `json:"thinkingLevel,omitempty"`
}

// budgets are the tokens that stand for a level of effort before generation 3: Google's own
// for it, and the most that gemini-2.5-pro takes
// (ai.google.dev/gemini-api/docs/openai, ai.google.dev/gemini-api/docs/thinking).
var budgets = map[string]int{"low": 1024, "medium": 8192, "high": 24_576, "max": 32_768}

// newRequest converts a request to Gemini's format. How much to think is left to the
// model unless the request says. Models that think by default are asked to show it, which costs nothing and keeps
// the stream from falling silent.
func (p *Provider) newRequest(req agent.Request) (request, error) {
	r := request{Contents: contents(req.Model, req.Messages, p.showsSearches(req.Model))}
	r.Config.MaxOutputTokens = min(max(0, req.MaxTokens), math.MaxInt32)
	if strings.TrimSpace(req.System) != "" {
		r.System = &content{Role: "user", Parts: []part{{Text: req.System}}}
	}
	switch {
	case req.Effort != "" && generation(req.Model) >= 3:
		r.Config.Thinking = &thinkingConfig{IncludeThoughts: req.Thinking != agent.Unable, Level: strings.ToUpper(req.Effort)}
	case req.Effort != "":
		r.Config.Thinking = &thinkingConfig{IncludeThoughts: req.Thinking != agent.Unable, Budget: budgets[req.Effort]}
	case thinks(req):
		r.Config.Thinking = &thinkingConfig{IncludeThoughts: true}
	}
	all, err := declarations(req.Tools)
	if len(all) > 0 {
		r.Tools = []tools{{Declarations: all}}
	}
	p.addSearch(&r, req)
	return r, err
}

func declarations(specs []agent.ToolSpec) (all []declaration, err error) {
	for _, spec := range wire.Sorted(specs) {
		one, err := declare(spec)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// declare describes a tool. A tool without parameters gets no schema, because the API
// refuses one without properties.
func declare(spec agent.ToolSpec) (declaration, error) {
	d := declaration{Name: spec.Name, Description: spec.Description}
	if len(spec.Schema) == 0 {
		return d, nil
	}
	var schema map[string]any
	if err := json.Unmarshal(spec.Schema, &schema); err != nil {
		return d, &agent.ProviderError{
			Kind: lifecycle.FailProvider, Message: fmt.Sprintf("the schema of tool %s is not a JSON object", spec.Name), Err: err,
		}
	}
	if properties, ok := schema["properties"].(map[string]any); !ok || len(properties) > 0 {
		d.Parameters = spec.Schema
	}
	return d, nil
}
