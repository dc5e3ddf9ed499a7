package gemini

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
	"pawl/lifecycle"
)

func apiError(code int, message string, details ...string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":"X","details":[%s]}}`, code, message, strings.Join(details, ","))
}

const (
	badKey = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`
	retry7 = `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7.5s"}`
	perDay = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}`
	perMin = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"}]}`
)

func TestRefusedRequests(t *testing.T) {
	long := strings.Repeat("é", 400)
	for _, test := range []struct {
		status    int
		body      string
		kind      lifecycle.FailureKind
		message   string
		temporary bool
		wait      time.Duration
	}{
		{400, apiError(400, "Invalid value at 'contents'"), lifecycle.FailProvider, "Invalid value at 'contents'", false, 0},
		{400, "[" + apiError(400, "Invalid value at 'contents'") + "\n]", lifecycle.FailProvider, "Invalid value at 'contents'", false, 0},
		{400, apiError(400, "Please pass a valid one: AIza-secret", badKey), lifecycle.FailAuth, "Please pass a valid one: [key]", false, 0},
		{400, apiError(400, "API key expired. Please renew."), lifecycle.FailAuth, "API key expired. Please renew.", false, 0},
		{400, apiError(400, "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576)."), lifecycle.FailContextLength, "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576).", false, 0},
		{401, apiError(401, "no\nkey  here"), lifecycle.FailAuth, "no key here", false, 0},
		{403, apiError(403, "Permission denied"), lifecycle.FailAuth, "Permission denied", false, 0},
		{404, apiError(404, "models/x is not found"), lifecycle.FailProvider, "models/x is not found", false, 0},
		{408, "", lifecycle.FailProvider, "Request Timeout", true, 0},
		{409, "", lifecycle.FailProvider, "Conflict", true, 0},
		{413, "<html>too large</html>", lifecycle.FailContextLength, "Request Entity Too Large", false, 0},
		{425, "", lifecycle.FailProvider, "Too Early", true, 0},
		{429, apiError(429, "Quota exceeded", perMin, retry7), lifecycle.FailRateLimited, "Quota exceeded", true, 7500 * time.Millisecond},
		{429, apiError(429, "Quota exceeded", perDay, retry7), lifecycle.FailRateLimited, "Quota exceeded", false, 7500 * time.Millisecond},
		{499, apiError(499, "The operation was cancelled."), lifecycle.FailProvider, "The operation was cancelled.", true, 0},
		{500, apiError(500, long), lifecycle.FailProvider, strings.Repeat("é", 299) + "…", true, 0},
		{502, "<html><body>Bad gateway</body></html>", lifecycle.FailProvider, "Bad Gateway", true, 0},
		{503, apiError(503, "The model is overloaded."), lifecycle.FailProvider, "The model is overloaded.", true, 0},
		{503, "no healthy upstream\n", lifecycle.FailProvider, "no healthy upstream", true, 0},
		{504, "{}", lifecycle.FailProvider, "Gateway Timeout", true, 0},
		{529, "", lifecycle.FailProvider, "an error without a message", true, 0},
	} {
		requests := 0
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		answer, pieces, err := ask(t, p, hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.NotNil(t, failure.Err)
		failure.Err = nil
		require.Equal(t, agent.ProviderError{
			Kind: test.kind, Status: test.status, Message: "Gemini: " + test.message, Temporary: test.temporary, RetryAfter: test.wait,
		}, *failure)
		require.Empty(t, answer)
		require.Empty(t, pieces)
		require.Equal(t, 1, requests, "the loop retries, nobody else")
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
	p := New(Options{Key: "AIza-secret", BaseURL: server.URL})
	for _, err := range []error{
		func() error { _, _, err := ask(t, p, hello()); return err }(),
		func() error { _, err := p.Models(t.Context()); return err }(),
	} {
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
		require.Contains(t, failure.Message, "no connection to Gemini: dial tcp")
		require.NotContains(t, failure.Message, "/v1beta/")
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
	require.Contains(t, failure.Message, "GEMINI_API_KEY")
	_, err = p.Models(t.Context())
	require.ErrorAs(t, err, &failure)
}
