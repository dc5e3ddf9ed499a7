package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// answered makes a response and says whether its body was closed.
func answered(status int, header map[string]string, body string) (res *http.Response, closed *bool) {
	closed = new(bool)
	res = &http.Response{StatusCode: status, Header: http.Header{}, Body: watched{strings.NewReader(body), closed}}
	for name, value := range header {
		res.Header.Set(name, value)
	}
	return res, closed
}

type watched struct {
	io.Reader
	closed *bool
}

func (w watched) Close() error { *w.closed = true; return nil }

func TestRefusedRequests(t *testing.T) {
	said := func(message, kind, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	for name, row := range map[string]struct {
		status int
		header map[string]string
		body   string
		want   agent.ProviderError
	}{
		"400":   {400, nil, said("Bad.", "invalid_request_error", "x"), agent.ProviderError{Kind: lifecycle.FailProvider, Status: 400, Message: "the server: Bad."}},
		"401":   {401, nil, said("Incorrect API key provided: "+key+".", "invalid_request_error", "invalid_api_key"), agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "the server: Incorrect API key provided: [key]."}},
		"403":   {403, nil, said("Not here.", "x", "unsupported_country_region_territory"), agent.ProviderError{Kind: lifecycle.FailAuth, Status: 403, Message: "the server: Not here."}},
		"404":   {404, nil, said("No such model.", "invalid_request_error", "model_not_found"), agent.ProviderError{Kind: lifecycle.FailProvider, Status: 404, Message: "the server: No such model."}},
		"408":   {408, nil, "", agent.ProviderError{Kind: lifecycle.FailProvider, Status: 408, Message: "the server: Request Timeout", Temporary: true}},
		"409":   {409, nil, "{}", agent.ProviderError{Kind: lifecycle.FailProvider, Status: 409, Message: "the server: Conflict", Temporary: true}},
		"413":   {413, nil, "too big", agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 413, Message: "the server: too big"}},
		"429":   {429, map[string]string{"Retry-After": "7"}, said("Slow\\n down.", "requests", "rate_limit_exceeded"), agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "the server: Slow down.", RetryAfter: 7 * time.Second, Temporary: true}},
		"quota": {429, nil, said("Quota.", "insufficient_quota", "insufficient_quota"), agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "the server: Quota."}},
		"large": {429, nil, said("Request too large for gpt-5: Limit 30000, Requested 45000.", "tokens", "rate_limit_exceeded"), agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 429, Message: "the server: Request too large for gpt-5: Limit 30000, Requested 45000."}},
		"long":  {400, nil, said("Too long.", "invalid_request_error", "context_length_exceeded"), agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "the server: Too long."}},
		"vllm":  {400, nil, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","code":400}`, agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "the server: This model's maximum context length is 4096 tokens."}},
		"500":   {500, nil, said("Oops.", "server_error", ""), agent.ProviderError{Kind: lifecycle.FailProvider, Status: 500, Message: "the server: Oops.", Temporary: true}},
		"502":   {502, map[string]string{"Content-Type": "text/html"}, "<html><h1>Bad</h1></html>", agent.ProviderError{Kind: lifecycle.FailProvider, Status: 502, Message: "the server: Bad Gateway", Temporary: true}},
		"503":   {503, map[string]string{"Retry-After-Ms": "1500"}, `{"error":"overloaded"}`, agent.ProviderError{Kind: lifecycle.FailProvider, Status: 503, Message: "the server: overloaded", RetryAfter: 1500 * time.Millisecond, Temporary: true}},
		"529":   {529, nil, "", agent.ProviderError{Kind: lifecycle.FailProvider, Status: 529, Message: "the server: an error without a message", Temporary: true}},
		"page":  {200, map[string]string{"Content-Type": "text/html"}, "<html>", agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server sent a web page instead of an answer: check its address"}},
	} {
		t.Run(name, func(t *testing.T) {
			res, closed := answered(row.status, row.header, row.body)
			_, err := server.Accept(res)
			var failed *agent.ProviderError
			require.ErrorAs(t, err, &failed)
			require.True(t, *closed)
			f, objects := Objection(err)
			require.Equal(t, row.status == 400, objects)
			if objects {
				require.Equal(t, row.want.Message, "the server: "+f.Message)
			}
			if failed.Err != nil {
				require.NotContains(t, failed.Err.Error(), key, "the cause has no key in it either")
			}
			failed.Err = nil
			require.Equal(t, row.want, *failed)
		})
	}
}

func TestAnAnswerIsPassedOn(t *testing.T) {
	res, closed := answered(200, map[string]string{"Content-Type": "text/event-stream"}, "data: {}")
	got, err := server.Accept(res)
	require.NoError(t, err)
	require.Same(t, res, got)
	require.False(t, *closed)
}

func TestShapesOfFaults(t *testing.T) {
	for body, want := range map[string]Fault{
		``: {}, `{}`: {}, `null`: {}, `<html>Bad</html>`: {}, `{"error":{"mess`: {}, `[`: {}, `[{"error":{"message":"a"}}, {}]`: {Message: "a"},
		" no healthy upstream\n":                                    {Message: "no healthy upstream"},
		`{"error":{"message":"a","type":"t","param":"p","code":7}}`: {Message: "a", Kind: "t", Param: "p", Code: "7"},
		`{"type":"error","error":{"type":"t","message":"a"}}`:       {Message: "a", Kind: "t"},
		`{"message":"a","code":"c"}`:                                {Message: "a", Code: "c"},
		`{"error":"a"}`:                                             {Message: "a"},
		`{"detail":"Not found"}`:                                    {Message: "Not found"},
		`{"detail":[{"msg":"a"}]}`:                                  {Message: `[{"msg":"a"}]`},
		`{"error":{"message":"a","metadata":{"raw":"b"}}}`:          {Message: "a: b"},
	} {
		require.Equal(t, want, ReadFault([]byte(body)), body)
	}
}

// In a stream there is no status but what the fault itself says.
func TestFaultsInAStream(t *testing.T) {
	for name, row := range map[string]struct {
		fault     Fault
		kind      lifecycle.FailureKind
		status    int
		temporary bool
	}{
		"code is a status":  {Fault{Message: "x", Code: "503"}, lifecycle.FailProvider, 503, true},
		"code is no status": {Fault{Message: "x", Code: "7"}, lifecycle.FailProvider, 0, false},
		"nothing known":     {Fault{Message: "x"}, lifecycle.FailProvider, 0, true},
		"our fault":         {Fault{Message: "x", Kind: "invalid_request_error"}, lifecycle.FailProvider, 0, false},
		"overloaded":        {Fault{Message: "x", Code: "server_is_overloaded"}, lifecycle.FailProvider, 503, true},
		"policy":            {Fault{Message: "x", Kind: "server_error", Code: "cyber_policy"}, lifecycle.FailRefused, 0, false},
		"too long":          {Fault{Message: "Your input exceeds the context window of this model."}, lifecycle.FailContextLength, 0, false},
	} {
		got := server.Judge(row.fault, 0, 0)
		require.Equal(t, &agent.ProviderError{Kind: row.kind, Status: row.status, Message: "the server: " + row.fault.Message, Temporary: row.temporary, Err: row.fault}, got, name)
		_, objects := Objection(got)
		require.False(t, objects, "an answer had begun")
	}
	_, objects := Objection(errors.New("x"))
	require.False(t, objects)
}

func TestTooLong(t *testing.T) {
	for _, message := range []string{
		"prompt is too long: 203456 tokens > 200000 maximum",
		"input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000",
		"The input token count (1234567) exceeds the maximum number of tokens allowed (1048576).",
		"This model's maximum context length is 4096 tokens.",
		"Request payload size exceeds the limit: 20971520 bytes.",
		"request (9000 tokens) exceeds the available context size",
	} {
		require.True(t, TooLong(message), message)
	}
	for _, message := range []string{"", "roles must alternate", "max_tokens: 70000 > 64000, which is the maximum allowed number of output tokens"} {
		require.False(t, TooLong(message), message)
	}
}
