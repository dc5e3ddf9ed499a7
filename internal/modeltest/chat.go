package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Chat is Chat Completions: POST /v1/chat/completions.
func Chat() Protocol {
	return Protocol{
		Name: "openai-chat", Model: "openai-chat/compatible-loopback-1", newline: "\n", idPrefix: "call_c", BadKey: http.StatusUnauthorized,
		Path:   func(path string) bool { return path == "/v1/chat/completions" },
		key:    bearer,
		decode: decodeChat,
		writer: func(out *sse, h Request) answerWriter {
			return &chatWriter{out: out, model: h.Model, counts: wantsUsage(h)}
		},
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
	ReasoningEffort string `json:"reasoning_effort"`
	StreamOptions   struct {
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

func decodeChat(_ *http.Request, body []byte) (Request, []string) {
	var f faults
	var req chatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Request{}, []string{err.Error()}
	}
	f.unless(req.Model != "", "you must provide a model parameter")
	f.unless(req.Stream, "the request does not ask for a stream")
	h := Request{Model: req.Model, Effort: req.ReasoningEffort}
	openaiEffort(&f, h)
	for _, tool := range req.Tools {
		f.unless(tool.Type == "function", "tools: unknown type "+tool.Type)
		f.unless(schemaFits(tool.Function.Parameters), "tools: parameters of "+tool.Function.Name+" are no object schema")
		h.Tools = append(h.Tools, tool.Function.Name)
	}
	for i, m := range req.Messages {
		place := fmt.Sprintf("messages[%d]: ", i)
		text, err := chatText(m.Content)
		f.unless(err == nil, place+"content must be a text or a list of parts")
		switch m.Role {
		case "system", "developer":
			f.unless(i == 0, place+"the system has the first word")
			h.System += text
		case "user":
			f.unless(written(text), place+"a message without content")
			h.Messages = Grow(h.Messages, Message{Role: "user", Text: text})
		case "assistant":
			f.unless(written(text) || len(m.ToolCalls) > 0, place+"content is required without tool_calls")
			h.Messages = append(h.Messages, chatSaid(&f, place, m, text))
		case "tool":
			h.Messages = Grow(h.Messages, Message{Role: "tool", Results: []Result{{Call: m.ToolCallID, Text: text}}})
		default:
			f.unless(false, place+"unknown role "+m.Role)
		}
	}
	return h, f.list
}

func chatSaid(f *faults, place string, m chatMessage, text string) Message {
	out := Message{Role: "assistant", Text: text}
	for _, c := range m.ToolCalls {
		f.unless(c.Type == "function", place+"tool_calls: unknown type "+c.Type)
		f.unless(isObject(json.RawMessage(c.Function.Arguments)), place+"tool_calls: arguments are no JSON object")
		out.Calls = append(out.Calls, Call{ID: c.ID, Name: c.Function.Name, Input: c.Function.Arguments})
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
func wantsUsage(h Request) bool {
	var req chatRequest
	return json.Unmarshal(h.Raw, &req) == nil && req.StreamOptions.IncludeUsage
}

// chatWriter speaks the chunks of a Chat Completions stream.
type chatWriter struct {
	out    *sse
	model  string
	counts bool
	calls  int
}

func (v *chatWriter) chunk(fields Object) {
	v.out.event("", Object{
		"id": "chatcmpl-loopback", "object": "chat.completion.chunk", "created": 1750000000, "model": v.model, "usage": nil,
	}.With(fields))
}

func (v *chatWriter) delta(delta Object, reason any) {
	v.chunk(Object{"choices": []Object{{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": reason}}})
}

func (v *chatWriter) begin(Usage) { v.delta(Object{"role": "assistant", "content": ""}, nil) }

func (v *chatWriter) say(piece string) { v.delta(Object{"content": piece}, nil) }

func (v *chatWriter) think(piece string) { v.delta(Object{"reasoning_content": piece}, nil) }

func (v *chatWriter) ask(c Call) {
	opening := Object{"index": v.calls, "id": c.ID, "type": "function", "function": Object{"name": c.Name, "arguments": ""}}
	v.delta(Object{"tool_calls": []Object{opening}}, nil)
	for _, piece := range inPieces(c.Input) {
		v.delta(Object{"tool_calls": []Object{{"index": v.calls, "function": Object{"arguments": piece}}}}, nil)
	}
	v.calls++
}

func (v *chatWriter) end(stop string, u Usage) {
	reasons := map[string]string{"end": "stop", "tool_calls": "tool_calls", "length": "length", "refused": "content_filter", "strange": "something_new"}
	v.delta(Object{}, reasons[stop])
	if v.counts {
		v.chunk(Object{"choices": []any{}, "usage": Object{
			"prompt_tokens": u.In, "completion_tokens": u.Out, "total_tokens": u.In + u.Out,
			"prompt_tokens_details": Object{"cached_tokens": u.Cached},
		}})
	}
	v.out.event("", "[DONE]")
}
