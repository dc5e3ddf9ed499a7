package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Gemini is Gemini's: POST /v1beta/models/{model}:streamGenerateContent?alt=sse.
// Its calls come without ids, and the first of each step with a signature.
func Gemini() Protocol {
	return Protocol{
		Name: "gemini", Model: "gemini/gemini-loopback-1", newline: "\r\n", signs: true, BadKey: http.StatusBadRequest,
		Path: func(path string) bool {
			return strings.HasPrefix(path, "/v1beta/models/") && strings.HasSuffix(path, ":streamGenerateContent")
		},
		key:    func(r *http.Request) string { return r.Header.Get("X-Goog-Api-Key") },
		decode: decodeGemini,
		writer: func(out *sse, h Request) answerWriter { return &geminiWriter{out: out, model: h.Model} },
		refuse: func(w http.ResponseWriter, answer Reply) {
			status := map[int]string{400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
			body := Object{"code": answer.Status, "message": answer.Message, "status": status[answer.Status]}
			if answer.Message == "the key is wrong" { // as Google words it: no 401
				body["message"] = "API key not valid. Please pass a valid API key."
				body["details"] = []Object{{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}}
			}
			refuseWith(w, answer, Object{"error": body})
		},
	}
}

type geminiRequest struct {
	SystemInstruction struct{ Parts []geminiPart }
	Contents          []struct {
		Role  string
		Parts []geminiPart
	}
	Tools []struct {
		FunctionDeclarations []struct {
			Name                 string
			Parameters           json.RawMessage
			ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
		}
		GoogleSearch json.RawMessage
	}
	ToolConfig struct{ IncludeServerSideToolInvocations bool }
}

type geminiPart struct {
	Text             string
	Thought          bool
	ThoughtSignature string
	FunctionCall     *struct {
		ID   string
		Name string
		Args json.RawMessage
	}
	FunctionResponse *struct {
		ID       string
		Name     string
		Response map[string]any
	}
	ToolCall     *geminiInvocation
	ToolResponse *geminiInvocation
	InlineData   json.RawMessage
}

// geminiInvocation is a search by the server, or its result.
type geminiInvocation struct {
	ID       string
	ToolType string
	Args     struct{ Queries []string }
	Response json.RawMessage
}

func decodeGemini(r *http.Request, body []byte) (Request, []string) {
	var f faults
	var req geminiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Request{}, []string{err.Error()}
	}
	f.unless(r.URL.Query().Get("alt") == "sse", "the request does not ask for events (alt=sse)")
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1beta/models/"), ":streamGenerateContent")
	h := Request{Model: name}
	for _, part := range req.SystemInstruction.Parts {
		h.System += part.Text
	}
	for _, tool := range req.Tools {
		for _, function := range tool.FunctionDeclarations {
			schema := slices.Concat(function.Parameters, function.ParametersJSONSchema)
			f.unless(len(schema) == 0 || schemaFits(schema), "tools: parameters of "+function.Name+" are no object schema")
			h.Tools = append(h.Tools, function.Name)
		}
	}
	geminiSearch(&f, &h, req)
	f.unless(len(req.Contents) > 0, "contents are required")
	var open []Call // those of the turn before
	for i, content := range req.Contents {
		place := fmt.Sprintf("contents[%d]: ", i)
		f.unless(content.Role == "user" || content.Role == "model", place+"please use a valid role: user, model")
		f.unless(len(content.Parts) > 0, place+"parts must not be empty")
		results, words := geminiSaid(&f, place, content.Role, content.Parts, open)
		f.unless(len(open) == len(results.Results), place+"please ensure that the number of function response parts is equal to the number of function call parts of the function call turn")
		if len(results.Results) > 0 {
			h.Messages = Grow(h.Messages, results)
		}
		if words.Text != "" || len(words.Calls) > 0 {
			h.Messages = Grow(h.Messages, words)
		}
		open = words.Calls
		h.Searched = append(h.Searched, geminiSearched(&f, place, content.Role, content.Parts)...)
	}
	return h, f.list
}

// geminiSearch holds the search that a request offers to the rules for it.
func geminiSearch(f *faults, h *Request, req geminiRequest) {
	for _, tool := range req.Tools {
		h.Search = h.Search || len(tool.GoogleSearch) > 0
	}
	if h.Search && len(h.Tools) > 0 {
		f.unless(!strings.HasPrefix(h.Model, "gemini-2"), "Built-in tools ({google_search}) and Function Calling cannot be combined in the same request.")
		f.unless(req.ToolConfig.IncludeServerSideToolInvocations, "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.")
	}
}

// geminiSearched lists what was searched for, and holds each search and its result to what the
// server made of them.
func geminiSearched(f *faults, place, role string, parts []geminiPart) (queries []string) {
	for j, part := range parts {
		if part.ToolCall == nil && part.ToolResponse == nil {
			continue
		}
		f.unless(role == "model" && part.ThoughtSignature == "c2VhbGVk", place+"a tool call without its thought_signature")
		if part.ToolCall == nil {
			continue
		}
		f.unless(part.ToolCall.ToolType == "GOOGLE_SEARCH_WEB", place+"unknown tool type "+part.ToolCall.ToolType)
		answered := j+1 < len(parts) && parts[j+1].ToolResponse != nil && parts[j+1].ToolResponse.ID == part.ToolCall.ID && len(parts[j+1].ToolResponse.Response) > 0
		f.unless(answered, place+"a tool call without its tool response")
		queries = append(queries, part.ToolCall.Args.Queries...)
	}
	return queries
}

// geminiSaid parts one content into results and words. Calls without ids get one
// by their place, and so do their results.
func geminiSaid(f *faults, place, role string, parts []geminiPart, open []Call) (results, words Message) {
	results, words = Message{Role: "tool"}, Message{Role: strings.Replace(role, "model", "assistant", 1)}
	for j, part := range parts {
		switch {
		case part.FunctionCall != nil:
			f.unless(role == "model", place+"a function call of the user")
			c := Call{ID: part.FunctionCall.ID, Name: part.FunctionCall.Name, Input: "{}", signature: part.ThoughtSignature}
			if len(part.FunctionCall.Args) > 0 {
				c.Input = string(part.FunctionCall.Args)
			}
			if c.ID == "" {
				c.ID = fmt.Sprintf("%s%d", place, j)
			}
			words.Calls = append(words.Calls, c)
		case part.FunctionResponse != nil:
			f.unless(role == "user" || role == "function", place+"a function response of the model")
			r := Result{Call: part.FunctionResponse.ID, name: part.FunctionResponse.Name, Text: responseText(part.FunctionResponse.Response)}
			if n := len(results.Results); n < len(open) {
				f.unless(open[n].Name == r.name, place+"the response of "+r.name+" where that of "+open[n].Name+" belongs")
				if r.Call == "" {
					r.Call = open[n].ID
				}
			}
			results.Results = append(results.Results, r)
		case part.Thought || len(part.InlineData) > 0:
		case part.ToolCall != nil || part.ToolResponse != nil: // see geminiSearched
		default:
			f.unless(part.Text != "" || part.ThoughtSignature != "", place+"a part must have one initialized field: data")
			words.Text += part.Text
		}
	}
	return results, words
}

// responseText is the text in a response, under whatever name it stands.
func responseText(response map[string]any) string {
	for _, name := range []string{"output", "result", "error"} {
		if text, ok := response[name].(string); ok {
			return text
		}
	}
	if len(response) == 0 {
		return ""
	}
	encoded, _ := json.Marshal(response) // it was JSON
	return string(encoded)
}

// geminiWriter speaks the responses of a Gemini stream.
type geminiWriter struct {
	out   *sse
	model string
	usage Usage
	rests Object // what the answer rests on
}

// search makes the server search by itself.
func (v *geminiWriter) search(s search) {
	const id, seal = "gs_loopback", "c2VhbGVk"
	v.chunk([]Object{{"thoughtSignature": seal, "toolCall": Object{"toolType": "GOOGLE_SEARCH_WEB", "id": id, "args": Object{"queries": []string{s.query}}}}}, "")
	v.chunk([]Object{{"thoughtSignature": seal, "toolResponse": Object{"toolType": "GOOGLE_SEARCH_WEB", "id": id, "response": Object{"search_suggestions": "<div>"}}}}, "")
	pages := []Object{}
	for _, page := range s.pages {
		pages = append(pages, Object{"web": Object{"uri": page, "title": "About " + s.query}})
	}
	v.rests = Object{"webSearchQueries": []string{s.query}, "groundingChunks": pages}
}

func (v *geminiWriter) chunk(parts []Object, reason string) {
	candidate := Object{"index": 0, "content": Object{"role": "model", "parts": parts}}
	if reason != "" {
		candidate["finishReason"] = reason
		if v.rests != nil {
			candidate["groundingMetadata"] = v.rests
		}
	}
	v.out.event("", Object{
		"candidates": []Object{candidate}, "modelVersion": v.model, "responseId": "loopback",
		"usageMetadata": Object{
			"promptTokenCount": v.usage.In, "cachedContentTokenCount": v.usage.Cached,
			"candidatesTokenCount": v.usage.Out, "totalTokenCount": v.usage.In + v.usage.Out,
		},
	})
}

func (v *geminiWriter) begin(u Usage) { v.usage = u }

func (v *geminiWriter) say(piece string) { v.chunk([]Object{{"text": piece}}, "") }

func (v *geminiWriter) ask(c Call) {
	function := Object{"name": c.Name, "args": json.RawMessage(c.Input)}
	if c.ID != "" {
		function["id"] = c.ID
	}
	part := Object{"functionCall": function}
	if c.signature != "" {
		part["thoughtSignature"] = c.signature
	}
	v.chunk([]Object{part}, "")
}

func (v *geminiWriter) end(stop string, _ Usage) {
	reasons := map[string]string{"end": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY", "strange": "SOMETHING_NEW"}
	v.chunk([]Object{{"text": ""}}, reasons[stop])
}
