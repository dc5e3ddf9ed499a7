package wiretest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden is the file with what a provider sends for each question. testdata/oracle
// compares it with the makers' own libraries.
const golden = "testdata/sent.json"

// sent is a request as a server sees it.
type sent struct {
	URL    string            `json:"url"` // path and query
	Header map[string]string `json:"header"`
	Body   any               `json:"body"`
}

// Sent asks one question of every kind, and those of this provider alone, and compares
// what is sent with the golden file. name is the provider's in agent.Thinking.
func (b Bench) Sent(t *testing.T, name string, more map[string]agent.Request) {
	questions := b.questions(name)
	maps.Copy(questions, more)
	got := map[string]sent{}
	for name, req := range questions {
		var one sent
		p := b.canned(func(r *http.Request) io.Reader {
			one = seen(t, r)
			return strings.NewReader(b.Stream)
		})
		_, err := p.Stream(t.Context(), req, func(agent.Delta) {})
		require.NoError(t, err, name)
		got[name] = one
	}
	if *update {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		require.NoError(t, encoder.Encode(got))
		require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
	}
	file, err := os.ReadFile(golden)
	require.NoError(t, err)
	var want map[string]sent
	decodeExact(t, bytes.NewReader(file), &want)
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	for name := range want {
		require.Equal(t, want[name], got[name], name)
	}
}

// seen keeps those parts of a request that matter to the server.
func seen(t *testing.T, r *http.Request) sent {
	one := sent{URL: r.URL.RequestURI(), Header: map[string]string{}}
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Anthropic-Version", "Anthropic-Beta", "Content-Type"} {
		if value := strings.Join(r.Header.Values(name), ","); value != "" {
			one.Header[name] = value
		}
	}
	decodeExact(t, r.Body, &one.Body)
	return one
}

// decodeExact decodes JSON without rounding numbers.
func decodeExact(t *testing.T, from io.Reader, into any) {
	t.Helper()
	decoder := json.NewDecoder(from)
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(into))
}

// questions are one for every kind of content, tool, thinking and option.
func (b Bench) questions(provider string) map[string]agent.Request {
	ask := func(messages ...agent.Message) agent.Request {
		return agent.Request{Model: b.Request.Model, Messages: append([]agent.Message{agent.Say("Look at <this> & “that”.")}, messages...)}
	}
	options := ask()
	options.System, options.MaxTokens = "You are Pawl.\nBe <brief>.", 4096
	tools := ask()
	tools.Tools = toolsOfAllKinds()
	able, unable := ask(), ask()
	able.Thinking, unable.Thinking = agent.Able, agent.Unable
	effort := able
	effort.Effort = "low"
	return map[string]agent.Request{
		"text": ask(), "options": options, "tools": tools, "thinking asked for": able, "thinking not asked for": unable, "effort": effort,
		"turns":             ask(agent.Say("Be quick."), agent.Say(" \n"), said(agent.Part{Text: ""}, agent.Part{Text: "\n"}), said(agent.Part{Text: "Yes."}, agent.Part{Text: "Done."}), agent.Say("And?")),
		"images":            ask(agent.Message{Role: agent.RoleUser, Parts: append([]agent.Part{{Text: "These:"}}, images()...)}),
		"calls and results": ask(callsAndResults()...),
		"odd calls":         ask(oddCalls()...),
		"thinking goes back": ask(
			said(thinking(provider)...), results(agent.CallResult{Call: "toolu_1", Name: "read", Text: "package a"}),
			said(thinking("another")...), results(agent.CallResult{Call: "toolu_1", Name: "read", Text: "package a"}),
			said(thinking(provider)[:1]...), agent.Say("And?")),
	}
}

func toolsOfAllKinds() []agent.ToolSpec {
	return []agent.ToolSpec{
		{Name: "write", Description: "Writes <it>.", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":60000,"default":1.5},"kind":{"enum":["a","b"]},"to":{"$ref":"#/$defs/to"}},"required":["n"],"additionalProperties":false,"$defs":{"to":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)},
		{Name: "list", Description: "Lists.", Schema: json.RawMessage(`{"type":"object"}`)},
		{Name: "todo", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
		{Name: "bare"},
	}
}

func images() []agent.Part {
	var parts []agent.Part
	for _, kind := range []string{"png", "jpeg", "gif", "webp", "tiff"} {
		parts = append(parts, agent.Part{Image: &agent.Image{MediaType: "image/" + kind, Data: []byte("\x89" + kind)}})
	}
	return append(parts, agent.Part{Image: &agent.Image{MediaType: "image/png"}})
}

func callsAndResults() []agent.Message {
	call := func(id, input string) agent.Part {
		return agent.Part{Call: &agent.Call{ID: lifecycle.CallID(id), Name: "read", Input: json.RawMessage(input)}}
	}
	shown := agent.CallResult{Call: "toolu_3", Name: "read", Text: "two pictures"}
	for _, part := range images()[3:5] {
		shown.Images = append(shown.Images, *part.Image)
	}
	failed := agent.CallResult{Call: "toolu_4", Name: "read", Text: "no such file", IsError: true, Images: shown.Images}
	return []agent.Message{
		said(agent.Part{Text: "I will look."}, call("toolu_1", `{"path": "src/<ä>.go", "n": 12345678901234567890}`), call("toolu_2", `{}`), call("toolu_3", `{"deep":{"list":[1,2.50,null,true]}}`), call("toolu_4", `{ }`)),
		results(agent.CallResult{Call: "toolu_1", Name: "read", Text: "package a\n"}, agent.CallResult{Call: "toolu_2", Name: "read", Text: " "}, shown, failed),
		agent.Say("And now?"),
	}
}

// oddCalls are calls as other providers' or faulty models make them.
func oddCalls() []agent.Message {
	long := lifecycle.CallID(strings.Repeat("x", 65))
	var calls, answers []agent.Part
	for i, call := range []agent.Call{
		{ID: "a", Name: "read", Input: json.RawMessage(`{"path": oops`)},
		{ID: "functions.b:0", Name: "functions.read file", Input: json.RawMessage(`[1]`)},
		{ID: "c", Name: "", Input: nil},
		{ID: "d", Name: "9lives", Input: json.RawMessage(`null`)},
		{ID: long, Name: strings.Repeat("n", 130), Input: json.RawMessage(`{"e": "\ud83d!", "n": 12345678901234567890}`)},
	} {
		calls = append(calls, agent.Part{Call: &call})
		answers = append(answers, agent.Part{Result: &agent.CallResult{Call: call.ID, Name: call.Name, Text: strings.Repeat("ok", i+1)}})
	}
	return []agent.Message{said(calls...), {Role: agent.RoleTool, Parts: answers}}
}

// thinking is an earlier step of a provider that thought: visibly, hidden, cut off, and
// beside a call.
func thinking(provider string) []agent.Part {
	sealed := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	return []agent.Part{
		{Thinking: &agent.Thinking{ID: "rs_1", Text: "Let me look.", Signature: sealed("seen"), Provider: provider}},
		{Thinking: &agent.Thinking{ID: "rs_2", Signature: sealed("hidden"), Redacted: true, Provider: provider}},
		{Thinking: &agent.Thinking{ID: "rs_3", Text: "Cut off", Provider: provider}},
		{Text: "I read it."},
		{Thinking: &agent.Thinking{ID: "rs_4", Signature: sealed("of the text"), Redacted: true, Provider: provider}},
		{Call: &agent.Call{ID: "toolu_1", Name: "read", Input: json.RawMessage(`{"path":"a.go"}`), Signature: sealed("of the call"), Provider: provider}},
	}
}

func said(parts ...agent.Part) agent.Message {
	return agent.Message{Role: agent.RoleAssistant, Parts: parts}
}

func results(all ...agent.CallResult) agent.Message {
	m := agent.Message{Role: agent.RoleTool}
	for _, one := range all {
		m.Parts = append(m.Parts, agent.Part{Result: &one})
	}
	return m
}
