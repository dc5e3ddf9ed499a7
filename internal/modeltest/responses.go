package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Responses is OpenAI Responses: POST /v1/responses.
func Responses() Protocol {
	return Protocol{
		Name: "openai", Model: "openai/gpt-loopback-1", newline: "\n", idPrefix: "call_r", BadKey: http.StatusUnauthorized,
		Path:   func(path string) bool { return path == "/v1/responses" || path == "/responses" },
		key:    bearer,
		decode: decodeResponses,
		writer: func(out *sse, h Request) answerWriter { return &responsesWriter{out: out, model: h.Model} },
		refuse: refuseOpenAI,
	}
}

// refuseOpenAI words an error as both of OpenAI's protocols do.
func refuseOpenAI(w http.ResponseWriter, answer Reply) {
	kinds := map[int]string{400: "invalid_request_error", 401: "invalid_request_error", 429: "requests", 500: "server_error", 503: "server_error"}
	codes := map[int]any{401: "invalid_api_key", 429: "rate_limit_exceeded"}
	refuseWith(w, answer, Object{"error": Object{"message": answer.Message, "type": kinds[answer.Status], "param": nil, "code": codes[answer.Status]}})
}

type responsesRequest struct {
	Model        string
	Instructions string
	Stream       bool
	Reasoning    struct{ Effort string }
	Input        json.RawMessage
	Tools        []struct {
		Type       string
		Name       string
		Parameters json.RawMessage
	}
}

// openaiEffort holds an effort to what OpenAI's models take.
func openaiEffort(f *faults, h Request) {
	f.effort(h.Effort, "none", "minimal", "low", "medium", "high", "xhigh", "max")
	f.unless(h.Effort == "" || !strings.HasPrefix(h.Model, "gpt-4"), "unsupported parameter: 'reasoning.effort' is not supported with this model")
}

type responsesItem struct {
	ID               string
	Action           struct{ Type, Query string }
	Type             string
	Role             string
	Content          json.RawMessage
	CallID           string `json:"call_id"`
	Name             string
	Arguments        string
	Output           json.RawMessage
	EncryptedContent string `json:"encrypted_content"`
}

func decodeResponses(_ *http.Request, body []byte) (Request, []string) {
	var f faults
	var req responsesRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Request{}, []string{err.Error()}
	}
	f.unless(req.Model != "", "missing required parameter: model")
	f.unless(req.Stream, "the request does not ask for a stream")
	h := Request{Model: req.Model, System: req.Instructions, Effort: req.Reasoning.Effort}
	openaiEffort(&f, h)
	for _, tool := range req.Tools {
		if tool.Type == "web_search" {
			h.Search = true
			continue
		}
		f.unless(tool.Type == "function", "tools: unknown type "+tool.Type)
		f.unless(schemaFits(tool.Parameters), "tools: parameters of "+tool.Name+" are no object schema")
		h.Tools = append(h.Tools, tool.Name)
	}
	var text string
	if json.Unmarshal(req.Input, &text) == nil {
		h.Messages = []Message{{Role: "user", Text: text}}
		return h, f.list
	}
	var items []responsesItem
	f.unless(json.Unmarshal(req.Input, &items) == nil, "input: neither a text nor a list of items")
	thinking := false
	for i, item := range items {
		place := fmt.Sprintf("input[%d]: ", i)
		if item.Type == "web_search_call" {
			f.unless(item.ID != "" && item.Action.Type != "", place+"a search without its id or its action")
			h.Searched, thinking = append(h.Searched, item.Action.Query), false
			continue
		}
		m := responsesSaid(&f, place, item)
		f.unless(!thinking || item.Type == "reasoning" || m.Role == "assistant", place+"a reasoning item was provided without its required following item")
		thinking = item.Type == "reasoning"
		if !thinking {
			h.Messages = Grow(h.Messages, m)
		}
	}
	f.unless(!thinking, "a reasoning item was provided without its required following item")
	return h, f.list
}

func responsesSaid(f *faults, place string, item responsesItem) Message {
	switch item.Type {
	case "", "message":
		f.unless(item.Role == "user" || item.Role == "assistant", place+"role "+item.Role)
		text, err := responsesText(item.Content)
		f.unless(item.Role != "assistant" || annotated(item.Content), place+"content: output_text without its required annotations")
		f.unless(err == nil && written(text), place+"content must be a text or a list of parts, and not empty")
		return Message{Role: item.Role, Text: text}
	case "function_call":
		f.unless(item.CallID != "" && len(item.CallID) <= 64, place+"call_id must have 1 to 64 characters")
		f.unless(isObject(json.RawMessage(item.Arguments)), place+"arguments are no JSON object")
		return Message{Role: "assistant", Calls: []Call{{ID: item.CallID, Name: item.Name, Input: item.Arguments}}}
	case "function_call_output":
		text, err := responsesText(item.Output)
		f.unless(err == nil, place+"output must be a text or a list of parts")
		return Message{Role: "tool", Results: []Result{{Call: item.CallID, Text: text}}}
	case "reasoning":
		f.unless(item.EncryptedContent != "", place+"reasoning without its content, and nothing is stored")
		return Message{}
	}
	f.unless(false, place+"unknown type "+item.Type)
	return Message{}
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

// responsesWriter speaks the events of a Responses stream.
type responsesWriter struct {
	out    *sse
	model  string
	number int
	text   strings.Builder
	said   bool // a message item is open
	done   []Object
	cites  []Object // a page that the next text cites
}

// search makes the server search by itself.
func (v *responsesWriter) search(s search) {
	item := Object{"id": "ws_loopback", "type": "web_search_call", "status": "in_progress"}
	v.event("response.output_item.added", Object{"output_index": len(v.done), "item": item})
	for _, state := range []string{"in_progress", "searching", "completed"} {
		v.event("response.web_search_call."+state, Object{"output_index": len(v.done), "item_id": "ws_loopback"})
	}
	sources := []Object{}
	for _, page := range s.pages {
		sources = append(sources, Object{"type": "url", "url": page})
		v.cites = []Object{{"type": "url_citation", "start_index": 0, "end_index": 1, "url": s.pages[0], "title": "About " + s.query}}
	}
	v.finish(item.With(Object{"status": "completed", "action": Object{"type": "search", "query": s.query, "queries": []string{s.query}, "sources": sources}}))
}

func (v *responsesWriter) event(name string, fields Object) {
	v.out.event(name, fields.With(Object{"type": name, "sequence_number": v.number}))
	v.number++
}

func (v *responsesWriter) response(status string) Object {
	output := v.done
	if output == nil {
		output = []Object{}
	}
	return Object{
		"id": "resp_loopback", "object": "response", "created_at": 1750000000, "status": status, "model": v.model,
		"output": output, "error": nil, "incomplete_details": nil, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{},
		"usage": nil,
	}
}

func (v *responsesWriter) begin(Usage) {
	v.event("response.created", Object{"response": v.response("in_progress")})
	v.event("response.in_progress", Object{"response": v.response("in_progress")})
}

func (v *responsesWriter) message(status string, content ...Object) Object {
	if content == nil {
		content = []Object{}
	}
	return Object{"id": "msg_loopback", "type": "message", "status": status, "role": "assistant", "content": content}
}

func (v *responsesWriter) part() Object {
	cites := v.cites
	if cites == nil {
		cites = []Object{}
	}
	return Object{"type": "output_text", "text": v.text.String(), "annotations": cites, "logprobs": []any{}}
}

// place says of which part of which item an event is.
func (v *responsesWriter) place() Object {
	return Object{"item_id": "msg_loopback", "output_index": len(v.done), "content_index": 0}
}

func (v *responsesWriter) say(piece string) {
	if !v.said {
		v.said = true
		v.event("response.output_item.added", Object{"output_index": len(v.done), "item": v.message("in_progress")})
		v.event("response.content_part.added", v.place().With(Object{"part": v.part()}))
	}
	v.text.WriteString(piece)
	v.event("response.output_text.delta", v.place().With(Object{"delta": piece, "logprobs": []any{}}))
}

func (v *responsesWriter) closeText() {
	if !v.said {
		return
	}
	v.said = false
	v.event("response.output_text.done", v.place().With(Object{"text": v.text.String(), "logprobs": []any{}}))
	v.event("response.content_part.done", v.place().With(Object{"part": v.part()}))
	v.finish(v.message("completed", v.part()))
}

func (v *responsesWriter) finish(item Object) {
	v.event("response.output_item.done", Object{"output_index": len(v.done), "item": item})
	v.done = append(v.done, item)
}

func (v *responsesWriter) ask(c Call) {
	v.closeText()
	id := "fc_" + c.ID
	item := Object{"id": id, "type": "function_call", "status": "in_progress", "call_id": c.ID, "name": c.Name, "arguments": ""}
	v.event("response.output_item.added", Object{"output_index": len(v.done), "item": item})
	for _, piece := range inPieces(c.Input) {
		v.event("response.function_call_arguments.delta", Object{"item_id": id, "output_index": len(v.done), "delta": piece})
	}
	v.event("response.function_call_arguments.done", Object{"item_id": id, "output_index": len(v.done), "name": c.Name, "arguments": c.Input})
	v.finish(item.With(Object{"status": "completed", "arguments": c.Input}))
}

func (v *responsesWriter) end(stop string, u Usage) {
	v.closeText()
	if stop == "refused" {
		v.done = append(v.done, v.message("completed", Object{"type": "refusal", "refusal": "I cannot help with that."}))
	}
	counts := Object{
		"input_tokens": u.In, "input_tokens_details": Object{"cached_tokens": u.Cached},
		"output_tokens": u.Out, "output_tokens_details": Object{"reasoning_tokens": 0}, "total_tokens": u.In + u.Out,
	}
	reasons := map[string]string{"strange": "something_new", "length": "max_output_tokens"}
	if reason := reasons[stop]; reason != "" {
		final := v.response("incomplete").With(Object{"incomplete_details": Object{"reason": reason}, "usage": counts})
		v.event("response.incomplete", Object{"response": final})
		return
	}
	v.event("response.completed", Object{"response": v.response("completed").With(Object{"usage": counts})})
}
