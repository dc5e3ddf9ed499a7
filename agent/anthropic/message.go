package anthropic

import (
	"encoding/base64"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/agent"
	"pawl/agent/wire"
)

// messages puts a history into Anthropic's dialect: turns alternate, so what
// stands side by side is joined; what the API refuses is left out, down to
// whole messages that hold nothing else.
func messages(history []agent.Message) []sdk.MessageParam {
	var params []sdk.MessageParam
	ids := newIDs()
	for _, m := range history {
		role, blocks := sdk.MessageParamRoleUser, []sdk.ContentBlockParamUnion(nil)
		switch m.Role {
		case agent.RoleAssistant:
			role, blocks = sdk.MessageParamRoleAssistant, assistantBlocks(m.Parts, ids)
		case agent.RoleUser, agent.RoleTool:
			blocks = userBlocks(m.Parts, ids)
		}
		last := len(params) - 1
		switch {
		case len(blocks) == 0:
		case last >= 0 && params[last].Role == role:
			params[last].Content = append(params[last].Content, blocks...)
		default:
			params = append(params, sdk.MessageParam{Role: role, Content: blocks})
		}
	}
	return params
}

// assistantBlocks is what the model said. Thinking at the end is left out: the
// API refuses a turn that ends with it.
func assistantBlocks(parts []agent.Part, ids *ids) []sdk.ContentBlockParamUnion {
	var blocks []sdk.ContentBlockParamUnion
	ids.turn()
	sayable := 0 // up to the last block that is no thinking
	for _, part := range parts {
		switch {
		case part.Thinking != nil:
			if block, ok := thinkingBlock(*part.Thinking); ok {
				blocks = append(blocks, block)
			}
			continue
		case part.Call != nil:
			blocks = append(blocks, sdk.NewToolUseBlock(ids.call(part.Call.ID), wire.Object(part.Call.Input), identifier(part.Call.Name)))
		case strings.TrimSpace(part.Text) != "":
			blocks = append(blocks, sdk.NewTextBlock(part.Text))
		}
		sayable = len(blocks)
	}
	return blocks[:sayable]
}

// thinkingBlock sends thinking back verbatim. Another provider's is not shown to
// Claude, and neither is one that was cut off before its signature.
func thinkingBlock(t agent.Thinking) (sdk.ContentBlockParamUnion, bool) {
	if t.Provider != Name || t.Signature == "" {
		return sdk.ContentBlockParamUnion{}, false
	}
	if t.Redacted {
		return sdk.NewRedactedThinkingBlock(t.Signature), true
	}
	return sdk.NewThinkingBlock(t.Signature, t.Text), true
}

func userBlocks(parts []agent.Part, ids *ids) []sdk.ContentBlockParamUnion {
	var blocks []sdk.ContentBlockParamUnion
	for _, part := range parts {
		switch {
		case part.Result != nil:
			blocks = append(blocks, resultBlock(*part.Result, ids))
		case part.Image != nil:
			if image, ok := imageBlock(*part.Image); ok {
				blocks = append(blocks, sdk.ContentBlockParamUnion{OfImage: image})
			} else {
				blocks = append(blocks, sdk.NewTextBlock(wire.LeftOut(*part.Image)))
			}
		case strings.TrimSpace(part.Text) != "":
			blocks = append(blocks, sdk.NewTextBlock(part.Text))
		}
	}
	return blocks
}

// resultBlock answers a call. The API takes no images with an error.
func resultBlock(r agent.CallResult, ids *ids) sdk.ContentBlockParamUnion {
	text := r.Text
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	block := sdk.ToolResultBlockParam{ToolUseID: ids.result(r.Call)}
	block.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: text}}}
	if r.IsError {
		block.IsError = sdk.Bool(true)
		return sdk.ContentBlockParamUnion{OfToolResult: &block}
	}
	for _, picture := range r.Images {
		content := sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: wire.LeftOut(picture)}}
		if image, ok := imageBlock(picture); ok {
			content = sdk.ToolResultBlockParamContentUnion{OfImage: image}
		}
		block.Content = append(block.Content, content)
	}
	return sdk.ContentBlockParamUnion{OfToolResult: &block}
}

// imageBlock fails on what the API does not take.
func imageBlock(image agent.Image) (*sdk.ImageBlockParam, bool) {
	source := sdk.Base64ImageSourceParam{
		Data:      base64.StdEncoding.EncodeToString(image.Data),
		MediaType: sdk.Base64ImageSourceMediaType(image.MediaType),
	}
	return &sdk.ImageBlockParam{Source: sdk.ImageBlockParamSourceUnion{OfBase64: &source}}, wire.Picture(image)
}
