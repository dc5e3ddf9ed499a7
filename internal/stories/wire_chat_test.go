package stories

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// chatProtocol is Chat Completions: POST /v1/chat/completions.
func chatProtocol() protocol {
	return protocol{
		name: "openai-chat", model: "openai-chat/compatible-loopback-1", newline: "\n", mint: "call_c", badKey: http.StatusUnauthorized,
		path:   func(path string) bool { return path == "/v1/chat/completions" },
		key:    bearer,
		hear:   hearChat,
		voice:  func(out *sse, h heard) voice { return &chatVoice{out: out, model: h.model, counts: wantsUsage(h)} },
		refuse: refuseOpenAI,
	}
}

type chatRequest struct {
	Model    string
	Stream   bool
	Messages []chatMessage
	Tools    []struct {
		Type     string
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type chatMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Type     string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func hearChat(_ *http.Request, body []byte) (heard, []string) {
	var f faults
	var req chatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return heard{}, []string{err.Error()}
	}
	f.unless(req.Model != "", "you must provide a model parameter")
	f.unless(req.Stream, "the request does not ask for a stream")
	h := heard{model: req.Model}
	for _, tool := range req.Tools {
		f.unless(tool.Type == "function", "tools: unknown type "+tool.Type)
		f.unless(schemaFits(tool.Function.Parameters), "tools: parameters of "+tool.Function.Name+" are no object schema")
		h.tools = append(h.tools, tool.Function.Name)
	}
	for i, m := range req.Messages {
		place := fmt.Sprintf("messages[%d]: ", i)
		text, err := chatText(m.Content)
		f.unless(err == nil, place+"content must be a text or a list of parts")
		switch m.Role {
		case "system", "developer":
			f.unless(i == 0, place+"the system has the first word")
			h.system += text
		case "user":
			f.unless(written(text), place+"a message without content")
			h.messages = grow(h.messages, said{role: "user", text: text})
		case "assistant":
			f.unless(written(text) || len(m.ToolCalls) > 0, place+"content is required without tool_calls")
			h.messages = append(h.messages, chatSaid(&f, place, m, text))
		case "tool":
			h.messages = grow(h.messages, said{role: "tool", results: []result{{call: m.ToolCallID, text: text}}})
		default:
			f.unless(false, place+"unknown role "+m.Role)
		}
	}
	return h, f.list
}

func chatSaid(f *faults, place string, m chatMessage, text string) said {
	out := said{role: "assistant", text: text}
	for _, c := range m.ToolCalls {
		f.unless(c.Type == "function", place+"tool_calls: unknown type "+c.Type)
		f.unless(isObject(json.RawMessage(c.Function.Arguments)), place+"tool_calls: arguments are no JSON object")
		out.calls = append(out.calls, call{id: c.ID, name: c.Function.Name, input: c.Function.Arguments})
	}
	return out
}

// chatText reads content, which may be a text alone, parts, or null.
func chatText(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	return responsesText(raw)
}

// wantsUsage says that the request asked for the chunk that counts the tokens.
func wantsUsage(h heard) bool {
	var req chatRequest
	return json.Unmarshal(h.raw, &req) == nil && req.StreamOptions.IncludeUsage
}

// chatVoice speaks the chunks of a Chat Completions stream.
type chatVoice struct {
	out    *sse
	model  string
	counts bool
	calls  int
}

func (v *chatVoice) chunk(fields object) {
	v.out.event("", object{
		"id": "chatcmpl-loopback", "object": "chat.completion.chunk", "created": 1750000000, "model": v.model, "usage": nil,
	}.with(fields))
}

func (v *chatVoice) delta(delta object, reason any) {
	v.chunk(object{"choices": []object{{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": reason}}})
}

func (v *chatVoice) begin(usage) { v.delta(object{"role": "assistant", "content": ""}, nil) }

func (v *chatVoice) say(piece string) { v.delta(object{"content": piece}, nil) }

func (v *chatVoice) think(piece string) { v.delta(object{"reasoning_content": piece}, nil) }

func (v *chatVoice) ask(c call) {
	opening := object{"index": v.calls, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": ""}}
	v.delta(object{"tool_calls": []object{opening}}, nil)
	for _, piece := range inPieces(c.input) {
		v.delta(object{"tool_calls": []object{{"index": v.calls, "function": object{"arguments": piece}}}}, nil)
	}
	v.calls++
}

func (v *chatVoice) end(stop string, u usage) {
	reasons := map[string]string{"end": "stop", "tool_calls": "tool_calls", "length": "length", "refused": "content_filter", "strange": "something_new"}
	v.delta(object{}, reasons[stop])
	if v.counts {
		v.chunk(object{"choices": []any{}, "usage": object{
			"prompt_tokens": u.in, "completion_tokens": u.out, "total_tokens": u.in + u.out,
			"prompt_tokens_details": object{"cached_tokens": u.cached},
		}})
	}
	v.out.event("", "[DONE]")
}
