package chat

import (
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

func TestErrorsInAStream(t *testing.T) {
	begun := `data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}` + "\n\n"
	bench(t).Refuses(t, map[string]wiretest.Refusal{
		"router":   {Reply: wiretest.Play(t, "openrouter_error.sse"), Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Provider returned error: x/y is temporarily rate-limited upstream", Temporary: true}},
		"named":    {Reply: wiretest.Reply{Body: begun + `data: {"error":{"message":"Rate limited. Please try again in 20ms.","type":"requests","code":"rate_limit_exceeded"}}` + "\n\n"}, Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Message: "Rate limited. Please try again in 20ms.", RetryAfter: 20 * time.Millisecond, Temporary: true}},
		"text":     {Reply: wiretest.Reply{Body: begun + `data: {"error":"model runner has stopped"}` + "\n\n"}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Message: "model runner has stopped", Temporary: true}},
		"vllm":     {Reply: wiretest.Reply{Body: `data: {"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}` + "\n\n"}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "This model's maximum context length is 4096 tokens."}},
		"no event": {Reply: wiretest.Reply{Body: `{"error":{"message":"Insufficient credits","code":402}}`}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 402, Message: "Insufficient credits"}},
		"reason":   {Reply: wiretest.Reply{Body: begun + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}` + "\n\n"}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the server broke the answer off: insufficient_system_resource", Temporary: true}},
		"no calls": {Reply: wiretest.Reply{Body: begun + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Message: "the model called tools, but the calls did not come", Temporary: true}},
	})
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
		wiretest.Play(t, "text.sse"))
	req := hello()
	req.MaxTokens = 9
	req.Messages = append(req.Messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Thinking: &agent.Thinking{Text: "hm", Signature: "reasoning_content", Provider: NameOpenAI}},
		{Call: &agent.Call{ID: "a", Name: "list"}},
	}})
	for range 2 {
		_, _, err := wiretest.Ask(t, p, req)
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
	_, _, err := wiretest.Ask(t, p, req)
	require.Error(t, err)
	require.Len(t, s.Bodies(), 2, "it does not insist")
}
