package anthropic

import (
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// messages converts a history to Anthropic's format: roles alternate, so adjacent messages
// of one role are joined. What the API refuses is left out, and so are messages that hold
// nothing else.
func messages(history []agent.Message, searches bool) []message {
	all := []message{}
	ids := &callNames{used: map[string]int{}}
	for _, m := range history {
		role, blocks := "user", []block(nil)
		switch m.Role {
		case agent.RoleAssistant:
			role, blocks = "assistant", assistantBlocks(m.Parts, ids, searches)
		case agent.RoleUser, agent.RoleTool:
			blocks = userBlocks(m.Parts, ids)
		}
		last := len(all) - 1
		switch {
		case len(blocks) == 0:
		case last >= 0 && all[last].Role == role:
			all[last].Content = append(all[last].Content, blocks...)
		default:
			all = append(all, message{Role: role, Content: blocks})
		}
	}
	return all
}

func text(words string) block { return block{Type: "text", Text: words} }

// assistantBlocks is what the model said. Thinking at the end is left out, because the API
// refuses a turn that ends with it. Searches go back only with the tool that made them.
func assistantBlocks(parts []agent.Part, ids *callNames, searches bool) []block {
	var blocks []block
	ids.now = map[lifecycle.CallID]string{}
	end := 0 // behind the last block that is not thinking
	for _, part := range parts {
		switch {
		case part.Thinking != nil:
			if block, ok := thinkingBlock(*part.Thinking); ok {
				blocks = append(blocks, block)
			}
			continue
		case part.Call != nil:
			blocks = append(blocks, block{
				Type: "tool_use", ID: ids.call(part.Call.ID), Name: identifier(part.Call.Name), Input: wire.Object(part.Call.Input),
			})
		case part.Search != nil && searches:
			cite(blocks, *part.Search)
			blocks = append(blocks, searchBlocks(*part.Search)...)
		case strings.TrimSpace(part.Text) != "":
			blocks = append(blocks, text(part.Text))
		default:
			continue
		}
		end = len(blocks)
	}
	return blocks[:end]
}

// thinkingBlock sends thinking back verbatim. It leaves out other providers' thinking, and
// thinking that was cut off before its signature.
func thinkingBlock(t agent.Thinking) (block, bool) {
	if t.Provider != Name || t.Signature == "" {
		return block{}, false
	}
	if t.Redacted {
		return block{Type: "redacted_thinking", Data: t.Signature}, true
	}
	return block{Type: "thinking", Thinking: &t.Text, Signature: t.Signature}, true
}

func userBlocks(parts []agent.Part, ids *callNames) []block {
	var blocks []block
	for _, part := range parts {
		switch {
		case part.Result != nil:
			blocks = append(blocks, resultBlock(*part.Result, ids))
		case part.Image != nil:
			blocks = append(blocks, imageBlock(*part.Image))
		case strings.TrimSpace(part.Text) != "":
			blocks = append(blocks, text(part.Text))
		}
	}
	return blocks
}

// resultBlock answers a call. The API accepts no images in an error.
func resultBlock(r agent.CallResult, ids *callNames) block {
	said := r.Text
	if strings.TrimSpace(said) == "" {
		said = "(no output)"
	}
	content := []block{text(said)}
	if !r.IsError {
		for _, image := range r.Images {
			content = append(content, imageBlock(image))
		}
	}
	return block{Type: "tool_result", ToolUseID: ids.result(r.Call), IsError: r.IsError, Content: content}
}

// imageBlock is a text for images that the API does not accept.
func imageBlock(image agent.Image) block {
	if !wire.Supported(image) {
		return text(wire.ImageOmitted(image))
	}
	return block{Type: "image", Source: &source{Type: "base64", MediaType: image.MediaType, Data: image.Data}}
}
