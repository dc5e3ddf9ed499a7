package anthropic

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func apiError(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
}

func TestRefusedRequests(t *testing.T) {
	long := strings.Repeat("é", 400)
	for _, test := range []struct {
		status    int
		body      string
		kind      lifecycle.FailureKind
		message   string
		temporary bool
	}{
		{400, apiError("invalid_request_error", "messages.1: roles must alternate"), lifecycle.FailProvider, "messages.1: roles must alternate", false},
		{400, apiError("invalid_request_error", "prompt is too long: 203456 tokens > 200000 maximum"), lifecycle.FailContextLength, "prompt is too long: 203456 tokens > 200000 maximum", false},
		{400, apiError("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000"), lifecycle.FailContextLength, "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000", false},
		{401, apiError("authentication_error", "invalid x-api-key: sk-ant-secret"), lifecycle.FailAuth, "invalid x-api-key: [key]", false},
		{402, apiError("billing_error", "Your credit balance is too low"), lifecycle.FailProvider, "Your credit balance is too low", false},
		{403, apiError("permission_error", "not\nyours\tat  all"), lifecycle.FailAuth, "not yours at all", false},
		{404, apiError("not_found_error", "model: claude-nope"), lifecycle.FailProvider, "model: claude-nope", false},
		{408, "", lifecycle.FailProvider, "Request Timeout", true},
		{409, "", lifecycle.FailProvider, "Conflict", true},
		{413, apiError("request_too_large", "Request exceeds the maximum size"), lifecycle.FailContextLength, "Request exceeds the maximum size", false},
		{425, "", lifecycle.FailProvider, "Too Early", true},
		{429, apiError("rate_limit_error", "slow down"), lifecycle.FailRateLimited, "slow down", true},
		{500, apiError("api_error", long), lifecycle.FailProvider, strings.Repeat("é", 299) + "…", true},
		{502, "<html><body>Bad gateway</body></html>", lifecycle.FailProvider, "Bad Gateway", true},
		{503, "no healthy upstream\n", lifecycle.FailProvider, "no healthy upstream", true},
		{504, "{}", lifecycle.FailProvider, "Gateway Timeout", true},
		{529, apiError("overloaded_error", "Overloaded"), lifecycle.FailProvider, "Overloaded", true},
		{529, "", lifecycle.FailProvider, "an error without a message", true},
	} {
		requests := 0
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		answer, pieces, err := ask(t, p, hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.NotNil(t, failure.Err)
		failure.Err = nil
		require.Equal(t, agent.ProviderError{
			Kind: test.kind, Status: test.status, Message: "Anthropic: " + test.message, Temporary: test.temporary,
		}, *failure)
		require.Empty(t, answer)
		require.Empty(t, pieces)
		require.Equal(t, 1, requests, "the loop retries, nobody else")
	}
}

func TestErrorEvents(t *testing.T) {
	for kind, want := range map[string]int{
		"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
		"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
		"timeout_error": 504, "overloaded_error": 529, "strange_error": 500,
	} {
		stream := "event: error\ndata: " + apiError(kind, "so it is") + "\n\n"
		_, _, err := ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure, kind)
		require.Equal(t, want, failure.Status, kind)
		require.Equal(t, "Anthropic: so it is", failure.Message, kind)
	}
}

// What headers can say is wire's to know; here it is that it gets there.
func TestRetryAfter(t *testing.T) {
	for name, value := range map[string]string{"Retry-After": "1.5", "Retry-After-Ms": "1500"} {
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(name, value)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		_, _, err := ask(t, p, hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, 1500*time.Millisecond, failure.RetryAfter, name)
	}
}

func TestNoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	p := New(Options{Key: "sk-ant-secret", BaseURL: server.URL})
	for _, err := range []error{
		func() error { _, _, err := ask(t, p, hello()); return err }(),
		func() error { _, err := p.Models(t.Context()); return err }(),
	} {
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
		require.Contains(t, failure.Message, "no connection to Anthropic: dial tcp")
		require.NotContains(t, failure.Message, "/v1/")
	}
}

// A redirect is not followed: it would carry the key to whoever it names.
func TestRedirect(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/v1", http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	_, _, err := ask(t, New(Options{Key: "k", BaseURL: server.URL}), hello())
	require.ErrorContains(t, err, "the server redirects to https://elsewhere.example/v1")
}

func TestNoKey(t *testing.T) {
	p := New(Options{BaseURL: "http://127.0.0.1:1"})
	_, _, err := ask(t, p, hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, lifecycle.FailAuth, failure.Kind)
	require.False(t, failure.Temporary)
	require.Contains(t, failure.Message, "ANTHROPIC_API_KEY")
	_, err = p.Models(t.Context())
	require.ErrorAs(t, err, &failure)
}
