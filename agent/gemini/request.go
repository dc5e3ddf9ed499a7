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

type tools struct {
	Declarations []declaration `json:"functionDeclarations"`
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
	IncludeThoughts bool `json:"includeThoughts"`
}

// newRequest converts a request to Gemini's format. How much to think is left to the
// model. Models that think by default are asked to show it, which costs nothing and keeps
// the stream from falling silent.
func newRequest(req agent.Request) (request, error) {
	r := request{Contents: contents(req.Model, req.Messages)}
	r.Config.MaxOutputTokens = min(max(0, req.MaxTokens), math.MaxInt32)
	if strings.TrimSpace(req.System) != "" {
		r.System = &content{Role: "user", Parts: []part{{Text: req.System}}}
	}
	if thinks(req) {
		r.Config.Thinking = &thinkingConfig{IncludeThoughts: true}
	}
	if len(req.Tools) == 0 {
		return r, nil
	}
	var all []declaration
	for _, spec := range wire.Sorted(req.Tools) {
		one, err := declare(spec)
		if err != nil {
			return r, err
		}
		all = append(all, one)
	}
	r.Tools = []tools{{all}}
	return r, nil
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
