package gemini

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// config is what a request says besides its history. How much models think is
// left to them; those that do by default are asked to show it, which costs
// nothing and keeps the stream from falling silent.
func config(req agent.Request) (*genai.GenerateContentConfig, error) {
	config := &genai.GenerateContentConfig{
		MaxOutputTokens: int32(min(req.MaxTokens, math.MaxInt32)),
		// The SDK would ask again by itself, also after a broken connection.
		AutomaticContinuation: genai.Ptr(false),
	}
	if strings.TrimSpace(req.System) != "" {
		config.SystemInstruction = genai.NewContentFromText(req.System, genai.RoleUser)
	}
	if thinks(req) {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	if len(req.Tools) == 0 {
		return config, nil
	}
	tool := &genai.Tool{}
	for _, spec := range wire.Sorted(req.Tools) {
		declaration, err := declaration(spec)
		if err != nil {
			return nil, err
		}
		tool.FunctionDeclarations = append(tool.FunctionDeclarations, declaration)
	}
	config.Tools = []*genai.Tool{tool}
	return config, nil
}

// declaration describes a tool. A tool without parameters has no schema: the API
// refuses one without properties.
func declaration(spec agent.ToolSpec) (*genai.FunctionDeclaration, error) {
	declaration := &genai.FunctionDeclaration{Name: spec.Name, Description: spec.Description}
	if len(spec.Schema) == 0 {
		return declaration, nil
	}
	var schema map[string]any
	if err := json.Unmarshal(spec.Schema, &schema); err != nil {
		return nil, &agent.ProviderError{
			Kind: lifecycle.FailProvider, Message: fmt.Sprintf("the schema of tool %s is not a JSON object", spec.Name), Err: err,
		}
	}
	if properties, ok := schema["properties"].(map[string]any); !ok || len(properties) > 0 {
		declaration.ParametersJsonSchema = schema
	}
	return declaration, nil
}
