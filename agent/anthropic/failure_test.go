package anthropic

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func apiError(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
}

func TestRefusedRequests(t *testing.T) {
	bench(t).Refuses(t, map[string]wiretest.Refusal{
		"400 messages roles must": {Reply: wiretest.Reply{Status: 400, Body: apiError("invalid_request_error", "messages.1: roles must alternate")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 400, Message: "messages.1: roles must alternate"}},
		"400 prompt is too":       {Reply: wiretest.Reply{Status: 400, Body: apiError("invalid_request_error", "prompt is too long: 203456 tokens > 200000 maximum")}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "prompt is too long: 203456 tokens > 200000 maximum"}},
		"400 input length and":    {Reply: wiretest.Reply{Status: 400, Body: apiError("invalid_request_error", "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000")}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000"}},
		"401 invalid xapikey key": {Reply: wiretest.Reply{Status: 401, Body: apiError("authentication_error", "invalid x-api-key: sk-ant-secret")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "invalid x-api-key: [key]"}},
		"402 your credit balance": {Reply: wiretest.Reply{Status: 402, Body: apiError("billing_error", "Your credit balance is too low")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 402, Message: "Your credit balance is too low"}},
		"403 not yours at":        {Reply: wiretest.Reply{Status: 403, Body: apiError("permission_error", "not\nyours\tat  all")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 403, Message: "not yours at all"}},
		"404 model claudenope":    {Reply: wiretest.Reply{Status: 404, Body: apiError("not_found_error", "model: claude-nope")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 404, Message: "model: claude-nope"}},
		"413 request exceeds the": {Reply: wiretest.Reply{Status: 413, Body: apiError("request_too_large", "Request exceeds the maximum size")}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 413, Message: "Request exceeds the maximum size"}},
		"429 slow down":           {Reply: wiretest.Reply{Status: 429, Body: apiError("rate_limit_error", "slow down")}, Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "slow down", Temporary: true}},
		"529 overloaded":          {Reply: wiretest.Reply{Status: 529, Body: apiError("overloaded_error", "Overloaded")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 529, Message: "Overloaded", Temporary: true}},
	})
}

func TestErrorEvents(t *testing.T) {
	for kind, want := range map[string]int{
		"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
		"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
		"timeout_error": 504, "overloaded_error": 529, "strange_error": 500,
	} {
		stream := "event: error\ndata: " + apiError(kind, "so it is") + "\n\n"
		failure := bench(t).Failure(t, wiretest.Reply{Body: stream})
		require.Equal(t, want, failure.Status, kind)
		require.Equal(t, "so it is", failure.Message, kind)
	}
}
