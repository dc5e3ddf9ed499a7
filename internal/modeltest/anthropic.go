package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Anthropic is Anthropic Messages: POST /v1/messages.
func Anthropic() Protocol {
	return Protocol{
		Name: "anthropic", Model: "anthropic/claude-loopback-1", newline: "\n", idPrefix: "toolu_", BadKey: http.StatusUnauthorized,
		Path:   func(path string) bool { return path == "/v1/messages" },
		key:    func(r *http.Request) string { return r.Header.Get("X-Api-Key") },
		decode: decodeAnthropic,
		writer: func(out *sse, h Request) answerWriter {
			thinks := strings.Contains(string(h.Raw), `"thinking":{"`)
			return &anthropicWriter{out: out, model: h.Model, open: -1, thinks: thinks}
		},
		refuse: func(w http.ResponseWriter, answer Reply) {
			kinds := map[int]string{
				400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
				413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
			}
			refuseWith(w, answer, Object{"type": "error", "error": Object{"type": kinds[answer.Status], "message": answer.Message}, "request_id": "req_loopback"})
		},
	}
}

type anthropicRequest struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	Stream    bool
	Thinking  struct {
		Type         string
		BudgetTokens int `json:"budget_tokens"`
	}
	OutputConfig *struct{ Effort string } `json:"output_config"`
	System       json.RawMessage
	Messages     []struct {
		Role    string
		Content json.RawMessage
	}
	Tools []struct {
		Type         string
		Name         string
		Description  string
		InputSchema  json.RawMessage `json:"input_schema"`
		CacheControl json.RawMessage `json:"cache_control"`
	}
}

type anthropicBlock struct {
	Type         string
	Text         string
	ID           string
	Name         string
	Input        json.RawMessage
	Signature    string
	Data         string
	ToolUseID    string `json:"tool_use_id"`
	Content      json.RawMessage
	IsError      bool            `json:"is_error"`
	CacheControl json.RawMessage `json:"cache_control"`
}

var anthropicName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

// anthropicBlocks reads content, which may be a text alone.
func anthropicBlocks(raw json.RawMessage) ([]anthropicBlock, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []anthropicBlock{{Type: "text", Text: text}}, nil
	}
	var blocks []anthropicBlock
	err := json.Unmarshal(raw, &blocks)
	return blocks, err
}

func decodeAnthropic(r *http.Request, body []byte) (Request, []string) {
	var f faults
	var req anthropicRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Request{}, []string{err.Error()}
	}
	f.unless(r.Header.Get("Anthropic-Version") != "", "the header anthropic-version is missing")
	f.unless(req.Model != "", "model: field required")
	f.unless(req.MaxTokens > 0, "max_tokens: field required")
	f.unless(req.Stream, "the request does not ask for a stream")
	h := Request{Model: req.Model}
	if len(req.System) > 0 {
		blocks, err := anthropicBlocks(req.System)
		f.unless(err == nil, "system: neither a text nor a list of blocks")
		for _, b := range blocks {
			f.unless(b.Type == "text" && written(b.Text), "system: text content blocks must be non-empty")
			h.System += b.Text
		}
	}
	for _, tool := range req.Tools {
		if tool.Type != "" {
			f.unless(tool.Type == "web_search_20250305" && tool.Name == "web_search", "tools: unknown type "+tool.Type)
			h.Search = true
			continue
		}
		f.unless(anthropicName.MatchString(tool.Name), "tools: the name "+tool.Name+" does not fit")
		f.unless(schemaFits(tool.InputSchema), "tools: input_schema of "+tool.Name+" is no object")
		h.Tools = append(h.Tools, tool.Name)
	}
	for i, m := range req.Messages {
		want := []string{"user", "assistant"}[i%2]
		f.unless(m.Role == want, fmt.Sprintf("messages.%d: role %q where %q belongs: roles must alternate, the user first", i, m.Role, want))
		blocks, err := anthropicBlocks(m.Content)
		f.unless(err == nil && len(blocks) > 0, fmt.Sprintf("messages.%d: content must be a text or a list of blocks, and not empty", i))
		h.Messages = append(h.Messages, anthropicSaid(&f, i, m.Role, blocks)...)
		h.Searched = append(h.Searched, anthropicSearched(&f, blocks)...)
	}
	anthropicThinking(&f, req)
	if req.OutputConfig != nil {
		h.Effort = req.OutputConfig.Effort
		without := regexp.MustCompile(`^claude-(3|(opus|sonnet|haiku)-4-[01]|(sonnet|haiku)-4-5)`).MatchString(req.Model)
		f.unless(!without, "output_config.effort: this model does not support effort")
	}
	f.effort(h.Effort, "low", "medium", "high", "xhigh", "max")
	f.unless(countMarks(body) <= 4, "a maximum of 4 blocks with cache_control may be provided")
	return h, f.list
}

// anthropicSearched lists what was searched for, and holds each search to its result: with what
// the server has sealed, in the next block.
func anthropicSearched(f *faults, blocks []anthropicBlock) (queries []string) {
	for i, b := range blocks {
		if b.Type != "server_tool_use" {
			continue
		}
		var input struct{ Query string }
		f.unless(json.Unmarshal(b.Input, &input) == nil, "server_tool_use.input: input should be a valid dictionary")
		answered := i+1 < len(blocks) && blocks[i+1].Type == "web_search_tool_result" && blocks[i+1].ToolUseID == b.ID
		f.unless(answered && strings.Contains(string(blocks[i+1].Content), `"encrypted_content":"sealed"`), "web_search tool use with id "+b.ID+" was found without a corresponding web_search_tool_result block")
		queries = append(queries, input.Query)
	}
	return queries
}

// anthropicThinking holds the wish for thinking to its rules: 4.5 and earlier take a
// budget only, later ones none; and where there is one, all steps since a message
// without results have to begin with thinking.
func anthropicThinking(f *faults, req anthropicRequest) {
	budgeted := regexp.MustCompile(`^claude-(3|[a-z]+-4-[0-5]$)`).MatchString(req.Model)
	switch req.Thinking.Type {
	case "":
		return
	case "adaptive":
		f.unless(!budgeted, "adaptive thinking is not supported on this model")
		f.unless(req.Thinking.BudgetTokens == 0, "thinking.adaptive.budget_tokens: extra inputs are not permitted")
		return
	}
	f.unless(req.Thinking.Type == "enabled" && budgeted, "thinking.type "+req.Thinking.Type+" is not supported for this model")
	f.unless(req.Thinking.BudgetTokens >= 1024, "thinking.enabled.budget_tokens: input should be greater than or equal to 1024")
	f.unless(req.Thinking.BudgetTokens < req.MaxTokens, "max_tokens must be greater than thinking.budget_tokens")
	begin := ""
	for _, m := range req.Messages {
		blocks, err := anthropicBlocks(m.Content)
		switch {
		case err != nil || len(blocks) == 0: // found already
		case m.Role == "user" && blocks[0].Type != "tool_result":
			begin = ""
		case m.Role == "assistant" && begin == "":
			begin = blocks[0].Type
		}
	}
	f.unless(begin == "" || strings.HasSuffix(begin, "thinking"), "expected thinking at the start of the turn, but found "+begin)
}

func countMarks(body []byte) int {
	return len(regexp.MustCompile(`"cache_control":\{`).FindAll(body, -1))
}

// anthropicSaid parts one message of the protocol into results and words.
func anthropicSaid(f *faults, i int, role string, blocks []anthropicBlock) []Message {
	results, words := Message{Role: "tool"}, Message{Role: role}
	for j, b := range blocks {
		place := fmt.Sprintf("messages.%d.content.%d: ", i, j)
		switch b.Type {
		case "text":
			f.unless(written(b.Text), place+"text content blocks must contain non-whitespace text")
			words.Text = strings.TrimPrefix(words.Text+"\n"+b.Text, "\n")
		case "tool_use":
			f.unless(role == "assistant", place+"tool_use in a message of the user")
			f.unless(anthropicName.MatchString(b.ID), place+"tool_use.id does not fit: "+b.ID)
			f.unless(isObject(b.Input), place+"tool_use.input: input should be a valid dictionary")
			words.Calls = append(words.Calls, Call{ID: b.ID, Name: b.Name, Input: string(b.Input)})
		case "tool_result":
			f.unless(role == "user", place+"tool_result in a message of the assistant")
			f.unless(words.Text == "", place+"tool_result after other content: results come first")
			content, err := anthropicBlocks(b.Content)
			f.unless(err == nil && len(content) > 0, place+"tool_result without content")
			r := Result{Call: b.ToolUseID, IsError: b.IsError}
			for _, c := range content {
				r.Text += c.Text
			}
			results.Results = append(results.Results, r)
		case "server_tool_use", "web_search_tool_result": // see anthropicSearched
			f.unless(role == "assistant", place+b.Type+" in a message of the user")
		case "image":
			f.unless(role == "user", place+"an image in a message of the assistant")
		case "thinking", "redacted_thinking":
			f.unless(role == "assistant", place+"thinking in a message of the user")
			f.unless(b.Signature+b.Data != "", place+"signature: field required")
		default:
			f.unless(false, place+"unknown type "+b.Type)
		}
	}
	var list []Message
	if len(results.Results) > 0 {
		list = append(list, results)
	}
	if words.Text != "" || len(words.Calls) > 0 || len(list) == 0 {
		list = append(list, words)
	}
	return list
}

// anthropicWriter speaks the events of a Messages stream.
type anthropicWriter struct {
	out   *sse
	model string
	index int
	open  int // index of the open text block, -1 without one

	thinks   bool   // it was asked to
	cites    Object // a page that the next text cites
	searches int
}

func (v *anthropicWriter) event(name string, fields Object) {
	v.out.event(name, fields.With(Object{"type": name}))
}

func (v *anthropicWriter) begin(u Usage) {
	v.event("message_start", Object{"message": Object{
		"id": "msg_loopback", "type": "message", "role": "assistant", "model": v.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": Object{
			"input_tokens": u.In - u.Cached - u.Written, "cache_creation_input_tokens": u.Written, "cache_read_input_tokens": u.Cached, "output_tokens": 1,
		},
	}})
	v.event("ping", Object{})
	if v.thinks {
		v.event("content_block_start", Object{"index": 0, "content_block": Object{"type": "thinking", "thinking": "", "signature": ""}})
		v.event("content_block_delta", Object{"index": 0, "delta": Object{"type": "thinking_delta", "thinking": "Hm."}})
		v.event("content_block_delta", Object{"index": 0, "delta": Object{"type": "signature_delta", "signature": "signed"}})
		v.event("content_block_stop", Object{"index": 0})
		v.index = 1
	}
}

// search makes the server search by itself.
func (v *anthropicWriter) search(s search) {
	const id = "srvtoolu_loopback"
	v.event("content_block_start", Object{"index": v.index, "content_block": Object{"type": "server_tool_use", "id": id, "name": "web_search", "input": Object{}}})
	input, _ := json.Marshal(Object{"query": s.query})
	for _, piece := range inPieces(string(input)) {
		v.event("content_block_delta", Object{"index": v.index, "delta": Object{"type": "input_json_delta", "partial_json": piece}})
	}
	v.event("content_block_stop", Object{"index": v.index})
	found := []Object{}
	for _, page := range s.pages {
		found = append(found, Object{"type": "web_search_result", "url": page, "title": "About " + s.query, "encrypted_content": "sealed", "page_age": nil})
	}
	v.event("content_block_start", Object{"index": v.index + 1, "content_block": Object{"type": "web_search_tool_result", "tool_use_id": id, "content": found}})
	v.event("content_block_stop", Object{"index": v.index + 1})
	v.index, v.searches = v.index+2, v.searches+1
	if len(s.pages) > 0 {
		v.cites = Object{"type": "web_search_result_location", "url": s.pages[0], "title": "About " + s.query, "encrypted_index": "sealed", "cited_text": "x"}
	}
}

func (v *anthropicWriter) say(piece string) {
	if v.open < 0 {
		v.open = v.index
		v.event("content_block_start", Object{"index": v.open, "content_block": Object{"type": "text", "text": ""}})
		if v.cites != nil {
			v.event("content_block_delta", Object{"index": v.open, "delta": Object{"type": "citations_delta", "citation": v.cites}})
			v.cites = nil
		}
	}
	v.event("content_block_delta", Object{"index": v.open, "delta": Object{"type": "text_delta", "text": piece}})
}

func (v *anthropicWriter) closeText() {
	if v.open >= 0 {
		v.event("content_block_stop", Object{"index": v.open})
		v.index, v.open = v.open+1, -1
	}
}

func (v *anthropicWriter) ask(c Call) {
	v.closeText()
	v.event("content_block_start", Object{"index": v.index, "content_block": Object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": Object{}}})
	for _, piece := range append([]string{""}, inPieces(c.Input)...) {
		v.event("content_block_delta", Object{"index": v.index, "delta": Object{"type": "input_json_delta", "partial_json": piece}})
	}
	v.event("content_block_stop", Object{"index": v.index})
	v.index++
}

func (v *anthropicWriter) end(stop string, u Usage) {
	v.closeText()
	reasons := map[string]string{"end": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "refused": "refusal", "strange": "something_new"}
	v.event("message_delta", Object{
		"delta": Object{"stop_reason": reasons[stop], "stop_sequence": nil},
		"usage": Object{"output_tokens": u.Out, "server_tool_use": Object{"web_search_requests": v.searches}},
	})
	v.event("message_stop", Object{})
}
