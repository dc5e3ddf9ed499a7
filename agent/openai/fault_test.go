package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// failure asks and returns the error as it must be.
func failure(t *testing.T, replies ...reply) *agent.ProviderError {
	t.Helper()
	p, _ := serve(t, replies...)
	_, _, _, err := ask(t.Context(), p, hello())
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.NotEmpty(t, failed.Message)
	require.NotContains(t, failed.Message, "\n")
	require.NotContains(t, failed.Message, key)
	failed.Err = nil // compared elsewhere
	return failed
}

func TestRefusedRequests(t *testing.T) {
	said := func(message, kind, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	for name, row := range map[string]struct {
		reply reply
		want  agent.ProviderError
	}{
		"400":   {reply{400, nil, said("Bad.", "invalid_request_error", "x")}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 400, Message: "Bad."}},
		"401":   {reply{401, nil, said("Incorrect API key provided: "+key+".", "invalid_request_error", "invalid_api_key")}, agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "Incorrect API key provided: …."}},
		"403":   {reply{403, nil, said("Not here.", "x", "unsupported_country_region_territory")}, agent.ProviderError{Kind: lifecycle.FailAuth, Status: 403, Message: "Not here."}},
		"404":   {reply{404, nil, said("No such model.", "invalid_request_error", "model_not_found")}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 404, Message: "No such model."}},
		"408":   {reply{408, nil, ""}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 408, Message: "Request Timeout", Temporary: true}},
		"409":   {reply{409, nil, "{}"}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 409, Message: "Conflict", Temporary: true}},
		"413":   {reply{413, nil, "too big"}, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 413, Message: "too big"}},
		"429":   {reply{429, map[string]string{"Retry-After": "7"}, said("Slow\\n down.", "requests", "rate_limit_exceeded")}, agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Slow down.", RetryAfter: 7 * time.Second, Temporary: true}},
		"quota": {reply{429, nil, said("Quota.", "insufficient_quota", "insufficient_quota")}, agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Quota."}},
		"large": {reply{429, nil, said("Request too large for gpt-5: Limit 30000, Requested 45000.", "tokens", "rate_limit_exceeded")}, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 429, Message: "Request too large for gpt-5: Limit 30000, Requested 45000."}},
		"long":  {reply{400, nil, said("Too long.", "invalid_request_error", "context_length_exceeded")}, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "Too long."}},
		"vllm":  {reply{400, nil, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","code":400}`}, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "This model's maximum context length is 4096 tokens."}},
		"500":   {reply{500, nil, said("Oops.", "server_error", "")}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 500, Message: "Oops.", Temporary: true}},
		"502":   {reply{502, map[string]string{"Content-Type": "text/html"}, "<html><h1>Bad</h1></html>"}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 502, Message: "Bad Gateway", Temporary: true}},
		"503":   {reply{503, map[string]string{"Retry-After-Ms": "1500"}, `{"error":"overloaded"}`}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 503, Message: "overloaded", RetryAfter: 1500 * time.Millisecond, Temporary: true}},
		"529":   {reply{529, nil, ""}, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 529, Message: "the server gave no reason", Temporary: true}},
		"page":  {reply{200, map[string]string{"Content-Type": "text/html"}, "<html>"}, agent.ProviderError{Kind: lifecycle.FailProvider, Message: "a web page came instead of an answer: check the address of the server"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, row.want, *failure(t, row.reply)) })
	}
}

func TestFailedStreams(t *testing.T) {
	for file, want := range map[string]agent.ProviderError{
		"failed_rate.sse":    {Kind: lifecycle.FailRateLimited, RetryAfter: 11054 * time.Millisecond, Temporary: true},
		"failed_server.sse":  {Kind: lifecycle.FailProvider, Temporary: true},
		"failed_context.sse": {Kind: lifecycle.FailContextLength},
		"failed_policy.sse":  {Kind: lifecycle.FailRefused},
		"failed_quota.sse":   {Kind: lifecycle.FailRateLimited},
		"error_event.sse":    {Kind: lifecycle.FailProvider, Temporary: true},
		"error_nested.sse":   {Kind: lifecycle.FailContextLength},
	} {
		t.Run(file, func(t *testing.T) {
			got := failure(t, stream(t, file))
			require.Greater(t, len(got.Message), 20, "the server's own words")
			got.Message = ""
			require.Equal(t, want, *got)
		})
	}
}

func TestBrokenStreams(t *testing.T) {
	text := stream(t, "text.sse").body
	body, _, _ := strings.Cut(text, "event: response.completed")
	for name, bad := range map[string]string{
		"nothing":        "",
		"only comments":  ": ping\n\n: ping\n\n",
		"no final event": body,
		"no json":        body + "data: {\"type\":\"response.comp\n\n",
		"not an object":  body + "data: 12\n\n",
		"page inside":    "<html>oops</html>\n\n",
		"[DONE] only":    body + "data: [DONE]\n\n",
		"plain json":     `{"id":"resp_1","output":[]}`,
		"endless line":   body + "data: " + strings.Repeat("a", 33<<20),
	} {
		t.Run(name, func(t *testing.T) {
			got := failure(t, reply{status: 200, body: bad})
			require.True(t, got.Temporary)
			require.Equal(t, lifecycle.FailProvider, got.Kind)
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2025, 8, 27, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "-3": 0, "soon": 0, "NaN": 0, "2": 2 * time.Second, "0.5": 500 * time.Millisecond,
		"Wed, 27 Aug 2025 12:00:30 GMT": 30 * time.Second, "Wed, 27 Aug 2025 11:00:00 GMT": 0,
		"31536000": longestWait, "1e400": longestWait, "Inf": longestWait,
	} {
		require.Equal(t, want, retryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
	require.Equal(t, time.Second, retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"1000"}}, now))
}

func TestMessagesAreOneLineWithoutKeys(t *testing.T) {
	require.Equal(t, "a b c", oneLine(" a\r\n\tb\x1b c ", ""))
	require.Equal(t, "your key … and sk-… (sk-…", oneLine("your key hunter22 and sk-proj-12 (sk-abc)", "hunter22"))
	require.Equal(t, "a task-notification", oneLine("a task-notification", ""))
	long := []rune(oneLine(strings.Repeat("ü", 500), ""))
	require.Len(t, long, longestMessage)
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
func TestLearnsWhatToLeaveOut(t *testing.T) {
	refuse := func(param, message string) reply {
		return reply{status: 400, body: `{"error":{"message":"` + message + `","type":"invalid_request_error","param":"` + param + `","code":"unsupported_parameter"}}`}
	}
	p, s := serve(t,
		refuse("reasoning.summary", "Unsupported parameter: 'reasoning.summary' is not supported with this model."),
		refuse("include", "Encrypted content is not supported with this model."),
		stream(t, "text.sse"))
	for range 2 {
		_, _, _, err := ask(t.Context(), p, hello())
		require.NoError(t, err)
	}
	require.Len(t, s.bodies, 4)
	require.NotContains(t, s.sent(1), "reasoning")
	require.Contains(t, s.sent(1), "include")
	require.NotContains(t, s.sent(3), "reasoning")
	require.NotContains(t, s.sent(3), "include")

	p, s = serve(t, refuse("reasoning.effort", "No."))
	_, _, _, err := ask(t.Context(), p, hello())
	require.Error(t, err)
	require.Len(t, s.bodies, 2, "it does not insist")
}

func TestForeignReasoningIsLeftOut(t *testing.T) {
	p, s := serve(t,
		reply{status: 400, body: `{"error":{"message":"The encrypted content for item rs_68af could not be verified.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}`},
		stream(t, "calls.sse"))
	req := hello()
	req.Messages = append(req.Messages, whole(), agent.Say("go on"))
	for range 2 {
		_, _, _, err := ask(t.Context(), p, req)
		require.NoError(t, err)
	}
	require.Len(t, s.bodies, 3)
	require.Contains(t, s.bodies[0], `"type":"reasoning"`)
	require.NotContains(t, s.bodies[1], `"type":"reasoning"`)
	require.NotContains(t, s.bodies[2], `"type":"reasoning"`)
}

func TestProviderErrorUnwraps(t *testing.T) {
	p, _ := serve(t, reply{status: 500, body: "oops"})
	_, _, _, err := ask(t.Context(), p, hello())
	var said fault
	require.True(t, errors.As(err, &said))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _, err = ask(ctx, p, hello())
	require.Equal(t, context.Canceled, err)
}
