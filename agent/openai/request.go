package openai

import (
	"cmp"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"pawl/agent"
	"pawl/agent/wire"
)

// longestCallID is the API's limit. Ids of its own are shorter.
const longestCallID = 64

// params writes the request. The same request gives the same bytes, and a longer
// transcript begins with the bytes of the shorter one, so that the server's
// cache of prefixes serves it.
func (p *Provider) params(req agent.Request) responses.ResponseNewParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	without := p.without[req.Model]
	if req.Thinking == agent.Unable {
		without = omission{summary: true, encrypted: true} // it would only refuse
	}
	params := responses.ResponseNewParams{
		Model:          req.Model,
		Store:          param.NewOpt(false),
		PromptCacheKey: param.NewOpt(wire.CacheKey(req)),
		Tools:          tools(req.Tools),
	}
	if req.System != "" {
		params.Instructions = param.NewOpt(req.System)
	}
	if req.MaxTokens > 0 {
		params.MaxOutputTokens = param.NewOpt(int64(req.MaxTokens))
	}
	if !without.encrypted {
		params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	}
	if !without.summary {
		params.Reasoning.Summary = shared.ReasoningSummaryAuto
	}
	items := responses.ResponseInputParam{}
	for _, m := range req.Messages {
		if m.Role == agent.RoleUser {
			items = append(items, question(m)...)
			continue
		}
		items = append(items, p.items(m)...)
	}
	params.Input.OfInputItemList = items
	return params
}

func tools(specs []agent.ToolSpec) []responses.ToolUnionParam {
	var list []responses.ToolUnionParam
	for _, spec := range wire.Sorted(specs) {
		tool := responses.ToolParamOfFunction(spec.Name, wire.Schema(spec.Schema), false)
		if spec.Description != "" {
			tool.OfFunction.Description = param.NewOpt(spec.Description)
		}
		list = append(list, tool)
	}
	return list
}

func question(m agent.Message) []responses.ResponseInputItemUnionParam {
	var content responses.ResponseInputMessageContentListParam
	for _, part := range m.Parts {
		switch {
		case part.Image != nil && !wire.Picture(*part.Image):
			content = append(content, responses.ResponseInputContentUnionParam{OfInputText: &responses.ResponseInputTextParam{Text: wire.LeftOut(*part.Image)}})
		case part.Image != nil:
			content = append(content, responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
				Detail: responses.ResponseInputImageDetailAuto, ImageURL: param.NewOpt(wire.DataURL(*part.Image)),
			}})
		case part.Text != "":
			content = append(content, responses.ResponseInputContentUnionParam{OfInputText: &responses.ResponseInputTextParam{Text: part.Text}})
		}
	}
	if len(content) == 0 {
		return nil
	}
	return []responses.ResponseInputItemUnionParam{
		responses.ResponseInputItemParamOfMessage(content, responses.EasyInputMessageRoleUser),
	}
}

// items writes an assistant's or a tool message. Reasoning is sent only together
// with what it led to: the API refuses it alone. The lock is held.
func (p *Provider) items(m agent.Message) []responses.ResponseInputItemUnionParam {
	var items, thoughts []responses.ResponseInputItemUnionParam
	var phase responses.ResponseOutputMessagePhase
	for _, part := range m.Parts {
		if t := part.Thinking; t != nil {
			if its, ok := phaseOf(*t); ok {
				phase = its
				continue
			}
			// Without its encrypted form the server would look for it among
			// stored items, and nothing is stored.
			if t.Provider == name && t.Signature != "" && !p.foreign[t.ID] {
				thoughts = append(thoughts, reasoning(*t))
			}
			continue
		}
		var item responses.ResponseInputItemUnionParam
		switch {
		case part.Call != nil:
			item = call(*part.Call)
		case part.Result != nil:
			item = result(*part.Result)
		case part.Text != "":
			item.OfOutputMessage = &responses.ResponseOutputMessageParam{
				Content: []responses.ResponseOutputMessageContentUnionParam{{OfOutputText: &responses.ResponseOutputTextParam{
					Text: part.Text, Annotations: []responses.ResponseOutputTextAnnotationUnionParam{}, // none is not left out: servers ask for it
				}}},
				Phase: phase,
			}
			phase = ""
		default:
			continue
		}
		items = append(append(items, thoughts...), item)
		thoughts = nil
	}
	return items
}

func call(c agent.Call) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfFunctionCall(
		string(wire.Object(c.Input)), wire.ShortCallID(c.ID, longestCallID), cmp.Or(wire.Identifier(c.Name, "", 64), "unnamed"),
	)
}

func reasoning(t agent.Thinking) responses.ResponseInputItemUnionParam {
	summary := []responses.ResponseReasoningItemSummaryParam{}
	if t.Text != "" {
		summary = append(summary, responses.ResponseReasoningItemSummaryParam{Text: t.Text})
	}
	item := responses.ResponseInputItemParamOfReasoning(t.ID, summary)
	item.OfReasoning.EncryptedContent = param.NewOpt(t.Signature)
	return item
}

func result(r agent.CallResult) responses.ResponseInputItemUnionParam {
	var content responses.ResponseFunctionCallOutputItemListParam
	say := func(text string) {
		content = append(content, responses.ResponseFunctionCallOutputItemUnionParam{
			OfInputText: &responses.ResponseInputTextContentParam{Text: text},
		})
	}
	if r.Text != "" {
		say(r.Text)
	}
	for _, image := range r.Images {
		if !wire.Picture(image) {
			say(wire.LeftOut(image))
			continue
		}
		content = append(content, responses.ResponseFunctionCallOutputItemUnionParam{
			OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt(wire.DataURL(image))},
		})
	}
	item := responses.ResponseInputItemParamOfFunctionCallOutput(content)
	if len(r.Images) == 0 {
		item = responses.ResponseInputItemParamOfFunctionCallOutput(r.Text)
	}
	item.OfFunctionCallOutput.CallID = param.NewOpt(wire.ShortCallID(r.Call, longestCallID))
	return item
}
