package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// request puts a question into Anthropic's dialect.
func request(req agent.Request) (sdk.MessageNewParams, error) {
	params := sdk.MessageNewParams{
		Model:     sdk.Model(req.Model),
		MaxTokens: limit(req.Model, req.MaxTokens),
		Messages:  messages(req.Messages),
	}
	if strings.TrimSpace(req.System) != "" {
		params.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	for _, spec := range wire.Sorted(req.Tools) {
		tool, err := toolParam(spec)
		if err != nil {
			return params, err
		}
		params.Tools = append(params.Tools, sdk.ToolUnionParam{OfTool: tool})
	}
	params.Thinking = thinking(req, params)
	mark(&params)
	return params, nil
}

// toolParam describes a tool. Its schema goes out as it is: the SDK's own type
// knows only a part of JSON Schema.
func toolParam(spec agent.ToolSpec) (*sdk.ToolParam, error) {
	tool := &sdk.ToolParam{Name: spec.Name}
	if spec.Description != "" {
		tool.Description = sdk.String(spec.Description)
	}
	if len(spec.Schema) == 0 {
		tool.InputSchema.Properties = map[string]any{}
		return tool, nil
	}
	if !json.Valid(spec.Schema) {
		return nil, &agent.ProviderError{
			Kind: lifecycle.FailProvider, Message: fmt.Sprintf("the schema of tool %s is not valid JSON", spec.Name),
		}
	}
	tool.InputSchema = param.Override[sdk.ToolInputSchemaParam](spec.Schema)
	return tool, nil
}

// mark sets the cache breakpoints, four at most, which is what the API takes:
// tools and system change least, so they have one each; the end of the history
// has one, for the next request to find; and the user turn before it has one,
// where the last request's stood. That one is there because the server looks
// back over twenty blocks only, fewer than one step of many calls can write.
func mark(params *sdk.MessageNewParams) {
	ephemeral := sdk.NewCacheControlEphemeralParam()
	if n := len(params.Tools); n > 0 {
		params.Tools[n-1].OfTool.CacheControl = ephemeral
	}
	if n := len(params.System); n > 0 {
		params.System[n-1].CacheControl = ephemeral
	}
	for i, left := len(params.Messages)-1, 2; i >= 0 && left > 0; i-- {
		m := params.Messages[i]
		if m.Role != sdk.MessageParamRoleUser && i != len(params.Messages)-1 {
			continue
		}
		if at := m.Content[len(m.Content)-1].GetCacheControl(); at != nil {
			*at = ephemeral
			left--
		}
	}
}
