package openai

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"pawl/agent"
	"pawl/lifecycle"
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
	params := responses.ResponseNewParams{
		Model:          req.Model,
		Store:          param.NewOpt(false),
		PromptCacheKey: param.NewOpt(cacheKey(req)),
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

// cacheKey names the session as well as a request can: by how it begins.
func cacheKey(req agent.Request) string {
	h := sha256.New()
	h.Write([]byte(req.Model + "\x00" + req.System + "\x00"))
	if len(req.Messages) > 0 {
		h.Write([]byte(req.Messages[0].Text()))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func tools(specs []agent.ToolSpec) []responses.ToolUnionParam {
	specs = slices.Clone(specs)
	slices.SortStableFunc(specs, func(a, b agent.ToolSpec) int { return strings.Compare(a.Name, b.Name) })
	var list []responses.ToolUnionParam
	for _, spec := range specs {
		tool := responses.ToolParamOfFunction(spec.Name, schema(spec.Schema), false)
		if spec.Description != "" {
			tool.OfFunction.Description = param.NewOpt(spec.Description)
		}
		list = append(list, tool)
	}
	return list
}

// schema is an input schema as the API takes it: an object that lists its
// properties, even if there are none. What it holds stays as it was written.
func schema(raw json.RawMessage) map[string]any {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given) // what is no object is an empty one
	fields := map[string]any{"type": "object", "properties": map[string]any{}}
	for name, value := range given {
		fields[name] = value
	}
	return fields
}

func question(m agent.Message) []responses.ResponseInputItemUnionParam {
	var content responses.ResponseInputMessageContentListParam
	for _, part := range m.Parts {
		switch {
		case part.Image != nil:
			content = append(content, responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
				Detail: responses.ResponseInputImageDetailAuto, ImageURL: param.NewOpt(dataURL(*part.Image)),
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
	for _, part := range m.Parts {
		if t := part.Thinking; t != nil {
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
			item = responses.ResponseInputItemParamOfFunctionCall(arguments(part.Call.Input), callID(part.Call.ID), toolName(part.Call.Name))
		case part.Result != nil:
			item = result(*part.Result)
		case part.Text != "":
			item.OfOutputMessage = &responses.ResponseOutputMessageParam{
				Content: []responses.ResponseOutputMessageContentUnionParam{{OfOutputText: &responses.ResponseOutputTextParam{Text: part.Text}}},
			}
		default:
			continue
		}
		items = append(append(items, thoughts...), item)
		thoughts = nil
	}
	return items
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
	var item responses.ResponseInputItemUnionParam
	if len(r.Images) == 0 {
		item = responses.ResponseInputItemParamOfFunctionCallOutput(r.Text)
	} else {
		var content responses.ResponseFunctionCallOutputItemListParam
		if r.Text != "" {
			content = append(content, responses.ResponseFunctionCallOutputItemUnionParam{
				OfInputText: &responses.ResponseInputTextContentParam{Text: r.Text},
			})
		}
		for _, image := range r.Images {
			content = append(content, responses.ResponseFunctionCallOutputItemUnionParam{
				OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt(dataURL(image))},
			})
		}
		item = responses.ResponseInputItemParamOfFunctionCallOutput(content)
	}
	item.OfFunctionCallOutput.CallID = param.NewOpt(callID(r.Call))
	return item
}

func dataURL(image agent.Image) string {
	return "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
}

// callID shortens an id that another provider gave, the same for a call and its
// result.
func callID(id lifecycle.CallID) string {
	if len(id) <= longestCallID {
		return string(id)
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}

// arguments makes any input the object that the API takes. What the model wrote
// and is none stays readable for it.
func arguments(input json.RawMessage) string {
	text := strings.TrimSpace(string(input))
	if text == "" || text == "null" {
		return "{}"
	}
	if text[0] == '{' && json.Valid([]byte(text)) {
		return text
	}
	wrapped, _ := json.Marshal(map[string]string{"_invalid": string(input)}) // a map of strings cannot fail
	return string(wrapped)
}

// toolName makes a name that the model invented one that the API takes back.
func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 64)]
}
