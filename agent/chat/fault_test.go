package chat

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// failure asks and returns the error as it must be.
func failure(t *testing.T, replies ...wiretest.Reply) *agent.ProviderError {
	t.Helper()
	p, _ := serve(t, replies...)
	_, _, _, err := ask(t.Context(), p, hello())
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.NotEmpty(t, failed.Message)
	require.NotContains(t, failed.Message, "\n")
	require.NotContains(t, failed.Message, key)
	require.Contains(t, failed.Message, "the server at 127.0.0.1:", "whose error it is")
	failed.Message = strings.Replace(failed.Message, p.server.Name, "the server", 1)
	failed.Err = nil // compared elsewhere
	return failed
}

// What errors mean is wire's to know; here it is that they get there whole.
func TestRefusedRequests(t *testing.T) {
	said := func(message, kind, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	for name, row := range map[string]struct {
		reply wiretest.Reply
		want  agent.ProviderError
	}{
		"401":  {wiretest.Reply{Status: 401, Body: said("Incorrect API key provided: "+key+".", "invalid_request_error", "invalid_api_key")}, agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "the server: Incorrect API key provided: [key]."}},
		"429":  {wiretest.Reply{Status: 429, Header: map[string]string{"Retry-After": "7"}, Body: said("Slow\\n down.", "requests", "rate_limit_exceeded")}, agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "the server: Slow down.", RetryAfter: 7 * time.Second, Temporary: true}},
		"long": {wiretest.Reply{Status: 400, Body: said("Too long.", "invalid_request_error", "context_length_exceeded")}, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "the server: Too long."}},
		"502":  {wiretest.Reply{Status: 502, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html><h1>Bad</h1></html>"}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 502, Message: "the server: Bad Gateway", Temporary: true}},
		"529":  {wiretest.Reply{Status: 529, Body: ""}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 529, Message: "the server: an error without a message", Temporary: true}},
		"page": {wiretest.Reply{Status: 200, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"}, agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server sent a web page instead of an answer: check its address"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.want, *failure(t, row.reply)) })
	}
}

func TestErrorsInAStream(t *testing.T) {
	begun := `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n"
	for name, row := range map[string]struct {
		body string
		want agent.ProviderError
	}{
		"router":   {stream(t, "openrouter_error.sse").Body, agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "the server: Provider returned error: x/y is temporarily rate-limited upstream", Temporary: true}},
		"named":    {begun + `data: {"error":{"message":"Rate limited. Please try again in 20ms.","type":"requests","code":"rate_limit_exceeded"}}` + "\n\n", agent.ProviderError{Kind: lifecycle.FailRateLimited, Message: "the server: Rate limited. Please try again in 20ms.", RetryAfter: 20 * time.Millisecond, Temporary: true}},
		"text":     {begun + `data: {"error":"model runner has stopped"}` + "\n\n", agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server: model runner has stopped", Temporary: true}},
		"vllm":     {`data: {"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}` + "\n\n", agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "the server: This model's maximum context length is 4096 tokens."}},
		"no event": {`{"error":{"message":"Insufficient credits","code":402}}`, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 402, Message: "the server: Insufficient credits"}},
		"reason":   {begun + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}` + "\n\n", agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server broke the answer off: insufficient_system_resource", Temporary: true}},
		"no calls": {begun + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n", agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server: the model called tools, but the calls did not come", Temporary: true}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.want, *failure(t, wiretest.Reply{Body: row.body})) })
	}
}

func TestBrokenStreams(t *testing.T) {
	text := stream(t, "text.sse").Body
	body := text[:strings.LastIndex(text[:strings.Index(text, `"finish_reason":"stop"`)], "data: ")]
	for name, bad := range map[string]string{
		"nothing":        "",
		"only comments":  ": ping\n\n: ping\n\n",
		"no final event": body,
		"no json":        body + "data: {\"choices\":[{\"ind\n\n",
		"not an object":  body + "data: 12\n\n",
		"page inside":    "<html>oops</html>\n\n",
		"[DONE] only":    body + "data: [DONE]\n\n",
		"plain json":     `{"choices":[{"message":{"content":"Hi"}}]}`,
		"endless line":   body + "data: " + strings.Repeat("a", 33<<20),
	} {
		t.Run(name, func(t *testing.T) {
			got := failure(t, wiretest.Reply{Body: bad})
			require.True(t, got.Temporary)
			require.Equal(t, lifecycle.FailProvider, got.Kind)
		})
	}
}

func TestNoServer(t *testing.T) {
	p := New(Options{Key: key, BaseURL: "http://127.0.0.1:1/v1", HTTPClient: &http.Client{Transport: &http.Transport{}}})
	_, _, _, err := ask(t.Context(), p, hello())
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.True(t, failed.Temporary)
	require.Contains(t, failed.Message, "refused")
}

func TestAddressesThatCannotWork(t *testing.T) {
	for _, address := range []string{"ftp://host/v1", "http://ho st/v1", "http://[::1/v1"} {
		p := New(Options{BaseURL: address})
		_, _, _, err := ask(t.Context(), p, hello())
		var failed *agent.ProviderError
		require.ErrorAs(t, err, &failed, address)
		require.False(t, failed.Temporary, address)
		_, err = p.Models(t.Context())
		require.ErrorAs(t, err, &failed, address)
	}
}

// What a server cannot do is left out from then on; each thing costs one request.
func TestLearnsTheDialect(t *testing.T) {
	refuse := func(status int, message string) wiretest.Reply {
		return wiretest.Reply{Status: status, Body: `{"error":{"message":"` + message + `","type":"invalid_request_error"}}`}
	}
	p, s := serve(t,
		refuse(400, "Unknown field: stream_options"),
		refuse(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
		refuse(422, "messages.1.reasoning_content: Extra inputs are not permitted"),
		stream(t, "text.sse"))
	req := hello()
	req.MaxTokens = 9
	req.Messages = append(req.Messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Thinking: &agent.Thinking{Text: "hm", Signature: "reasoning_content", Provider: NameOpenAI}},
		{Call: &agent.Call{ID: "a", Name: "list"}},
	}})
	for range 2 {
		_, _, _, err := ask(t.Context(), p, req)
		require.NoError(t, err)
	}
	require.Len(t, s.Bodies(), 5)
	require.Contains(t, s.Bodies()[0], "stream_options")
	require.NotContains(t, s.Bodies()[1], "stream_options")
	require.Contains(t, s.Bodies()[1], `"max_tokens":9`)
	require.Contains(t, s.Bodies()[2], `"max_completion_tokens":9`)
	require.Contains(t, s.Bodies()[2], "reasoning_content")
	require.NotContains(t, s.Bodies()[3], "reasoning_content")
	require.NotContains(t, s.Bodies()[4], "reasoning_content")

	p, s = serve(t, refuse(400, "stream_options again"))
	_, _, _, err := ask(t.Context(), p, req)
	require.Error(t, err)
	require.Len(t, s.Bodies(), 2, "it does not insist")
}

func TestProviderErrorUnwraps(t *testing.T) {
	p, _ := serve(t, wiretest.Reply{Status: 500, Body: "oops"})
	_, _, _, err := ask(t.Context(), p, hello())
	var said wire.Fault
	require.True(t, errors.As(err, &said))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err = ask(ctx, p, hello())
	require.Equal(t, context.Canceled, err)
}

// A redirect is not followed: it would carry the key to whoever it names.
func TestRedirect(t *testing.T) {
	h := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/v1", http.StatusTemporaryRedirect))
	t.Cleanup(h.Close)
	_, _, _, err := ask(t.Context(), New(Options{Key: key, BaseURL: h.URL}), hello())
	require.ErrorContains(t, err, "the server redirects to https://elsewhere.example/v1")
}
