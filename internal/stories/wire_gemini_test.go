package stories

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// geminiProtocol is Gemini's: POST /v1beta/models/{model}:streamGenerateContent?alt=sse.
// Its calls come without ids, and the first of each step with a signature.
func geminiProtocol() protocol {
	return protocol{
		name: "gemini", model: "gemini/gemini-loopback-1", newline: "\r\n", signs: true, badKey: http.StatusBadRequest,
		path: func(path string) bool {
			return strings.HasPrefix(path, "/v1beta/models/") && strings.HasSuffix(path, ":streamGenerateContent")
		},
		key:   func(r *http.Request) string { return r.Header.Get("X-Goog-Api-Key") },
		hear:  hearGemini,
		voice: func(out *sse, h heard) voice { return &geminiVoice{out: out, model: h.model} },
		refuse: func(w http.ResponseWriter, answer reply) {
			status := map[int]string{400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
			body := object{"code": answer.status, "message": answer.message, "status": status[answer.status]}
			if answer.message == "the key is wrong" { // as Google words it: no 401
				body["message"] = "API key not valid. Please pass a valid API key."
				body["details"] = []object{{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}}
			}
			refuseWith(w, answer, object{"error": body})
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
	}
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
	InlineData json.RawMessage
}

func hearGemini(r *http.Request, body []byte) (heard, []string) {
	var f faults
	var req geminiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return heard{}, []string{err.Error()}
	}
	f.unless(r.URL.Query().Get("alt") == "sse", "the request does not ask for events (alt=sse)")
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1beta/models/"), ":streamGenerateContent")
	h := heard{model: name}
	for _, part := range req.SystemInstruction.Parts {
		h.system += part.Text
	}
	for _, tool := range req.Tools {
		for _, function := range tool.FunctionDeclarations {
			schema := slices.Concat(function.Parameters, function.ParametersJSONSchema)
			f.unless(len(schema) == 0 || schemaFits(schema), "tools: parameters of "+function.Name+" are no object schema")
			h.tools = append(h.tools, function.Name)
		}
	}
	f.unless(len(req.Contents) > 0, "contents are required")
	var open []call // those of the turn before
	for i, content := range req.Contents {
		place := fmt.Sprintf("contents[%d]: ", i)
		f.unless(content.Role == "user" || content.Role == "model", place+"please use a valid role: user, model")
		f.unless(len(content.Parts) > 0, place+"parts must not be empty")
		results, words := geminiSaid(&f, place, content.Role, content.Parts, open)
		f.unless(len(open) == len(results.results), place+"please ensure that the number of function response parts is equal to the number of function call parts of the function call turn")
		if len(results.results) > 0 {
			h.messages = grow(h.messages, results)
		}
		if words.text != "" || len(words.calls) > 0 {
			h.messages = grow(h.messages, words)
		}
		open = words.calls
	}
	return h, f.list
}

// geminiSaid parts one content into results and words. Calls without ids get one
// by their place, and so do their results.
func geminiSaid(f *faults, place, role string, parts []geminiPart, open []call) (results, words said) {
	results, words = said{role: "tool"}, said{role: strings.Replace(role, "model", "assistant", 1)}
	for j, part := range parts {
		switch {
		case part.FunctionCall != nil:
			f.unless(role == "model", place+"a function call of the user")
			c := call{id: part.FunctionCall.ID, name: part.FunctionCall.Name, input: "{}", signature: part.ThoughtSignature}
			if len(part.FunctionCall.Args) > 0 {
				c.input = string(part.FunctionCall.Args)
			}
			if c.id == "" {
				c.id = fmt.Sprintf("%s%d", place, j)
			}
			words.calls = append(words.calls, c)
		case part.FunctionResponse != nil:
			f.unless(role == "user" || role == "function", place+"a function response of the model")
			r := result{call: part.FunctionResponse.ID, name: part.FunctionResponse.Name, text: responseText(part.FunctionResponse.Response)}
			if n := len(results.results); n < len(open) {
				f.unless(open[n].name == r.name, place+"the response of "+r.name+" where that of "+open[n].name+" belongs")
				if r.call == "" {
					r.call = open[n].id
				}
			}
			results.results = append(results.results, r)
		case part.Thought || len(part.InlineData) > 0:
		default:
			f.unless(part.Text != "" || part.ThoughtSignature != "", place+"a part must have one initialized field: data")
			words.text += part.Text
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

// geminiVoice speaks the responses of a Gemini stream.
type geminiVoice struct {
	out   *sse
	model string
	usage usage
}

func (v *geminiVoice) chunk(parts []object, reason string) {
	candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
	if reason != "" {
		candidate["finishReason"] = reason
	}
	v.out.event("", object{
		"candidates": []object{candidate}, "modelVersion": v.model, "responseId": "loopback",
		"usageMetadata": object{
			"promptTokenCount": v.usage.in, "cachedContentTokenCount": v.usage.cached,
			"candidatesTokenCount": v.usage.out, "totalTokenCount": v.usage.in + v.usage.out,
		},
	})
}

func (v *geminiVoice) begin(u usage) { v.usage = u }

func (v *geminiVoice) say(piece string) { v.chunk([]object{{"text": piece}}, "") }

func (v *geminiVoice) ask(c call) {
	function := object{"name": c.name, "args": json.RawMessage(c.input)}
	if c.id != "" {
		function["id"] = c.id
	}
	part := object{"functionCall": function}
	if c.signature != "" {
		part["thoughtSignature"] = c.signature
	}
	v.chunk([]object{part}, "")
}

func (v *geminiVoice) end(stop string, _ usage) {
	reasons := map[string]string{"end": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY", "strange": "SOMETHING_NEW"}
	v.chunk([]object{{"text": ""}}, reasons[stop])
}
