package stories

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// responsesProtocol is OpenAI Responses: POST /v1/responses.
func responsesProtocol() protocol {
	return protocol{
		name: "openai", model: "openai/gpt-loopback-1", newline: "\n", mint: "call_r", badKey: http.StatusUnauthorized,
		path:   func(path string) bool { return path == "/v1/responses" || path == "/responses" },
		key:    bearer,
		hear:   hearResponses,
		voice:  func(out *sse, h heard) voice { return &responsesVoice{out: out, model: h.model} },
		refuse: refuseOpenAI,
	}
}

// refuseOpenAI words an error as both of OpenAI's protocols do.
func refuseOpenAI(w http.ResponseWriter, answer reply) {
	kinds := map[int]string{400: "invalid_request_error", 401: "invalid_request_error", 429: "requests", 500: "server_error", 503: "server_error"}
	codes := map[int]any{401: "invalid_api_key", 429: "rate_limit_exceeded"}
	refuseWith(w, answer, object{"error": object{"message": answer.message, "type": kinds[answer.status], "param": nil, "code": codes[answer.status]}})
}

type responsesRequest struct {
	Model        string
	Instructions string
	Stream       bool
	Input        json.RawMessage
	Tools        []struct {
		Type       string
		Name       string
		Parameters json.RawMessage
	}
}

type responsesItem struct {
	Type             string
	Role             string
	Content          json.RawMessage
	CallID           string `json:"call_id"`
	Name             string
	Arguments        string
	Output           json.RawMessage
	EncryptedContent string `json:"encrypted_content"`
}

func hearResponses(_ *http.Request, body []byte) (heard, []string) {
	var f faults
	var req responsesRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return heard{}, []string{err.Error()}
	}
	f.unless(req.Model != "", "missing required parameter: model")
	f.unless(req.Stream, "the request does not ask for a stream")
	h := heard{model: req.Model, system: req.Instructions}
	for _, tool := range req.Tools {
		f.unless(tool.Type == "function", "tools: unknown type "+tool.Type)
		f.unless(schemaFits(tool.Parameters), "tools: parameters of "+tool.Name+" are no object schema")
		h.tools = append(h.tools, tool.Name)
	}
	var text string
	if json.Unmarshal(req.Input, &text) == nil {
		h.messages = []said{{role: "user", text: text}}
		return h, f.list
	}
	var items []responsesItem
	f.unless(json.Unmarshal(req.Input, &items) == nil, "input: neither a text nor a list of items")
	thinking := false
	for i, item := range items {
		place := fmt.Sprintf("input[%d]: ", i)
		m := responsesSaid(&f, place, item)
		f.unless(!thinking || item.Type == "reasoning" || m.role == "assistant", place+"a reasoning item was provided without its required following item")
		thinking = item.Type == "reasoning"
		if !thinking {
			h.messages = grow(h.messages, m)
		}
	}
	f.unless(!thinking, "a reasoning item was provided without its required following item")
	return h, f.list
}

func responsesSaid(f *faults, place string, item responsesItem) said {
	switch item.Type {
	case "", "message":
		f.unless(item.Role == "user" || item.Role == "assistant", place+"role "+item.Role)
		text, err := responsesText(item.Content)
		f.unless(item.Role != "assistant" || annotated(item.Content), place+"content: output_text without its required annotations")
		f.unless(err == nil && written(text), place+"content must be a text or a list of parts, and not empty")
		return said{role: item.Role, text: text}
	case "function_call":
		f.unless(item.CallID != "" && len(item.CallID) <= 64, place+"call_id must have 1 to 64 characters")
		f.unless(isObject(json.RawMessage(item.Arguments)), place+"arguments are no JSON object")
		return said{role: "assistant", calls: []call{{id: item.CallID, name: item.Name, input: item.Arguments}}}
	case "function_call_output":
		text, err := responsesText(item.Output)
		f.unless(err == nil, place+"output must be a text or a list of parts")
		return said{role: "tool", results: []result{{call: item.CallID, text: text}}}
	case "reasoning":
		f.unless(item.EncryptedContent != "", place+"reasoning without its content, and nothing is stored")
		return said{}
	}
	f.unless(false, place+"unknown type "+item.Type)
	return said{}
}

// annotated says whether each text of a model's has its annotations, be there none.
func annotated(raw json.RawMessage) bool {
	var parts []struct {
		Type        string
		Annotations *[]json.RawMessage
	}
	_ = json.Unmarshal(raw, &parts) // a text alone has none
	for _, part := range parts {
		if part.Type == "output_text" && part.Annotations == nil {
			return false
		}
	}
	return true
}

// responsesText reads content, which may be a text alone.
func responsesText(raw json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts []struct{ Type, Text string }
	err := json.Unmarshal(raw, &parts)
	for _, part := range parts {
		text += part.Text
	}
	return text, err
}

// responsesVoice speaks the events of a Responses stream.
type responsesVoice struct {
	out    *sse
	model  string
	number int
	text   strings.Builder
	said   bool // a message item is open
	done   []object
}

func (v *responsesVoice) event(name string, fields object) {
	v.out.event(name, fields.with(object{"type": name, "sequence_number": v.number}))
	v.number++
}

func (v *responsesVoice) response(status string) object {
	output := v.done
	if output == nil {
		output = []object{}
	}
	return object{
		"id": "resp_loopback", "object": "response", "created_at": 1750000000, "status": status, "model": v.model,
		"output": output, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{},
		"usage": nil,
	}
}

func (v *responsesVoice) begin(usage) {
	v.event("response.created", object{"response": v.response("in_progress")})
	v.event("response.in_progress", object{"response": v.response("in_progress")})
}

func (v *responsesVoice) message(status string, content ...object) object {
	if content == nil {
		content = []object{}
	}
	return object{"id": "msg_loopback", "type": "message", "status": status, "role": "assistant", "content": content}
}

func (v *responsesVoice) part() object {
	return object{"type": "output_text", "text": v.text.String(), "annotations": []any{}, "logprobs": []any{}}
}

// place says of which part of which item an event is.
func (v *responsesVoice) place() object {
	return object{"item_id": "msg_loopback", "output_index": len(v.done), "content_index": 0}
}

func (v *responsesVoice) say(piece string) {
	if !v.said {
		v.said = true
		v.event("response.output_item.added", object{"output_index": len(v.done), "item": v.message("in_progress")})
		v.event("response.content_part.added", v.place().with(object{"part": v.part()}))
	}
	v.text.WriteString(piece)
	v.event("response.output_text.delta", v.place().with(object{"delta": piece, "logprobs": []any{}}))
}

func (v *responsesVoice) closeText() {
	if !v.said {
		return
	}
	v.said = false
	v.event("response.output_text.done", v.place().with(object{"text": v.text.String(), "logprobs": []any{}}))
	v.event("response.content_part.done", v.place().with(object{"part": v.part()}))
	v.finish(v.message("completed", v.part()))
}

func (v *responsesVoice) finish(item object) {
	v.event("response.output_item.done", object{"output_index": len(v.done), "item": item})
	v.done = append(v.done, item)
}

func (v *responsesVoice) ask(c call) {
	v.closeText()
	id := "fc_" + c.id
	item := object{"id": id, "type": "function_call", "status": "in_progress", "call_id": c.id, "name": c.name, "arguments": ""}
	v.event("response.output_item.added", object{"output_index": len(v.done), "item": item})
	for _, piece := range inPieces(c.input) {
		v.event("response.function_call_arguments.delta", object{"item_id": id, "output_index": len(v.done), "delta": piece})
	}
	v.event("response.function_call_arguments.done", object{"item_id": id, "output_index": len(v.done), "name": c.name, "arguments": c.input})
	v.finish(item.with(object{"status": "completed", "arguments": c.input}))
}

func (v *responsesVoice) end(stop string, u usage) {
	v.closeText()
	if stop == "refused" {
		v.done = append(v.done, v.message("completed", object{"type": "refusal", "refusal": "I cannot help with that."}))
	}
	counts := object{
		"input_tokens": u.in, "input_tokens_details": object{"cached_tokens": u.cached},
		"output_tokens": u.out, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": u.in + u.out,
	}
	if stop == "strange" {
		final := v.response("incomplete").with(object{"incomplete_details": object{"reason": "something_new"}, "usage": counts})
		v.event("response.incomplete", object{"response": final})
		return
	}
	if stop == "length" {
		final := v.response("incomplete").with(object{"incomplete_details": object{"reason": "max_output_tokens"}, "usage": counts})
		v.event("response.incomplete", object{"response": final})
		return
	}
	v.event("response.completed", object{"response": v.response("completed").with(object{"usage": counts})})
}
