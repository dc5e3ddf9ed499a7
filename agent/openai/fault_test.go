package openai

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// What errors mean is wire's to know; here it is that they get there whole.
func TestRefusedRequests(t *testing.T) {
	said := func(message, kind, code string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	bench(t).Refuses(t, map[string]wiretest.Refusal{
		"401":  {Reply: wiretest.Reply{Status: 401, Body: said("Incorrect API key provided: "+key+".", "invalid_request_error", "invalid_api_key")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "Incorrect API key provided: [key]."}},
		"429":  {Reply: wiretest.Reply{Status: 429, Header: map[string]string{"Retry-After": "7"}, Body: said("Slow\\n down.", "requests", "rate_limit_exceeded")}, Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Slow down.", RetryAfter: 7 * time.Second, Temporary: true}},
		"long": {Reply: wiretest.Reply{Status: 400, Body: said("Too long.", "invalid_request_error", "context_length_exceeded")}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "Too long."}},
		"page": {Reply: wiretest.Reply{Status: 200, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server sent a web page instead of an answer: check its address"}},
	})
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
			got := bench(t).Failure(t, wiretest.Play(t, file))
			require.Greater(t, len(got.Message), 20, "the server's own words")
			got.Message = ""
			require.Equal(t, want, *got)
		})
	}
}

// An event that carries an error is that error, whatever else it says.
func TestAnErrorInAPieceIsAnError(t *testing.T) {
	got := bench(t).Failure(t, wiretest.Reply{Body: `data: {"type":"response.output_text.delta","output_index":0,"delta":"x","error":{"message":"Overloaded"}}` + "\n\n"})
	require.Equal(t, "Overloaded", got.Message)
}

// Some servers end every stream alike: what the answer says of itself counts.
func TestAFinalEventWhoseAnswerFailedIsNoSuccess(t *testing.T) {
	body := wiretest.Play(t, "text.sse").Body
	for name, row := range map[string]struct {
		with string
		want string
	}{
		"failed":          {`"status":"failed","error":{"code":"server_error","message":"It broke."}`, "It broke."},
		"failed silently": {`"status":"failed"`, "an error without a message"},
		"cancelled":       {`"status":"cancelled"`, "it canceled the answer"},
	} {
		for _, event := range []string{"response.completed", "response.incomplete"} {
			t.Run(name+" "+event, func(t *testing.T) {
				begun, _, _ := strings.Cut(body, "event: response.completed")
				final := `data: {"type":"` + event + `","response":{` + row.with + `,"output":[],"usage":{"input_tokens":25,"output_tokens":15}}}` + "\n\n"
				got := bench(t).Failure(t, wiretest.Reply{Body: begun + final})
				require.Equal(t, row.want, got.Message)
				require.True(t, got.Temporary)
				require.Equal(t, lifecycle.FailProvider, got.Kind)
			})
		}
	}
}

// What a server cannot do is left out from then on; each thing costs one request.
func TestLearnsWhatToLeaveOut(t *testing.T) {
	refuse := func(param, message string) wiretest.Reply {
		return wiretest.Reply{Status: 400, Body: `{"error":{"message":"` + message + `","type":"invalid_request_error","param":"` + param + `","code":"unsupported_parameter"}}`}
	}
	p, s := serve(t,
		refuse("reasoning.summary", "Unsupported parameter: 'reasoning.summary' is not supported with this model."),
		refuse("include", "Encrypted content is not supported with this model."),
		wiretest.Play(t, "text.sse"))
	for range 2 {
		_, _, err := wiretest.Ask(t, p, hello())
		require.NoError(t, err)
	}
	require.Len(t, s.Bodies(), 4)
	require.NotContains(t, s.Sent(1), "reasoning")
	require.Contains(t, s.Sent(1), "include")
	require.NotContains(t, s.Sent(3), "reasoning")
	require.NotContains(t, s.Sent(3), "include")

	p, s = serve(t, refuse("reasoning.effort", "No."))
	_, _, err := wiretest.Ask(t, p, hello())
	require.Error(t, err)
	require.Len(t, s.Bodies(), 2, "it does not insist")
}

func TestForeignReasoningIsLeftOut(t *testing.T) {
	p, s := serve(t,
		wiretest.Reply{Status: 400, Body: `{"error":{"message":"The encrypted content for item rs_68af could not be verified.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}`},
		wiretest.Play(t, "calls.sse"))
	req := hello()
	req.Messages = append(req.Messages, whole(), agent.Say("go on"))
	for range 2 {
		_, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
	}
	require.Len(t, s.Bodies(), 3)
	require.Contains(t, s.Bodies()[0], `"type":"reasoning"`)
	require.NotContains(t, s.Bodies()[1], `"type":"reasoning"`)
	require.NotContains(t, s.Bodies()[2], `"type":"reasoning"`)
}

// Runs that a server refuses side by side are each asked again, not the first alone.
func TestRefusalsSideBySideAreEachAskedAgain(t *testing.T) {
	const runs = 4
	var waiting sync.WaitGroup
	waiting.Add(runs)
	whole := wiretest.Recording(t, "text.sse")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"summary"`) {
			waiting.Done()
			waiting.Wait()
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"Unsupported parameter: 'reasoning.summary'.","param":"reasoning.summary"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, whole)
	}))
	defer server.Close()
	p := New(Options{Key: key, BaseURL: server.URL + "/v1", HTTPClient: server.Client()})
	errs := make(chan error, runs)
	for range runs {
		go func() {
			_, err := p.Stream(t.Context(), hello(), func(agent.Delta) {})
			errs <- err
		}()
	}
	for range runs {
		require.NoError(t, <-errs)
	}
}
