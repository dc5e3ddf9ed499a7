package gemini

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
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
	bench(t).Refuses(t, map[string]wiretest.Refusal{
		"400 invalid value at":        {Reply: wiretest.Reply{Status: 400, Body: apiError(400, "Invalid value at 'contents'")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 400, Message: "Invalid value at 'contents'"}},
		"400 invalid value at, again": {Reply: wiretest.Reply{Status: 400, Body: "[" + apiError(400, "Invalid value at 'contents'") + "\n]"}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 400, Message: "Invalid value at 'contents'"}},
		"400 please pass a":           {Reply: wiretest.Reply{Status: 400, Body: apiError(400, "Please pass a valid one: AIza-secret", badKey)}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 400, Message: "Please pass a valid one: [key]"}},
		"400 api key expired":         {Reply: wiretest.Reply{Status: 400, Body: apiError(400, "API key expired. Please renew.")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 400, Message: "API key expired. Please renew."}},
		"400 the input token":         {Reply: wiretest.Reply{Status: 400, Body: apiError(400, "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576).")}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 400, Message: "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576)."}},
		"401 no key here":             {Reply: wiretest.Reply{Status: 401, Body: apiError(401, "no\nkey  here")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 401, Message: "no key here"}},
		"403 permission denied":       {Reply: wiretest.Reply{Status: 403, Body: apiError(403, "Permission denied")}, Want: agent.ProviderError{Kind: lifecycle.FailAuth, Status: 403, Message: "Permission denied"}},
		"404 modelsx is not":          {Reply: wiretest.Reply{Status: 404, Body: apiError(404, "models/x is not found")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 404, Message: "models/x is not found"}},
		"413 request entity too":      {Reply: wiretest.Reply{Status: 413, Body: "<html>too large</html>"}, Want: agent.ProviderError{Kind: lifecycle.FailContextLength, Status: 413, Message: "Request Entity Too Large"}},
		"429 quota exceeded":          {Reply: wiretest.Reply{Status: 429, Body: apiError(429, "Quota exceeded", perMin, retry7)}, Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Quota exceeded", Temporary: true, RetryAfter: 7500 * time.Millisecond}},
		"429 quota exceeded, again":   {Reply: wiretest.Reply{Status: 429, Body: apiError(429, "Quota exceeded", perDay, retry7)}, Want: agent.ProviderError{Kind: lifecycle.FailRateLimited, Status: 429, Message: "Quota exceeded", RetryAfter: 7500 * time.Millisecond}},
		"499 the operation was":       {Reply: wiretest.Reply{Status: 499, Body: apiError(499, "The operation was cancelled.")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 499, Message: "The operation was cancelled.", Temporary: true}},
		"503 the model is":            {Reply: wiretest.Reply{Status: 503, Body: apiError(503, "The model is overloaded.")}, Want: agent.ProviderError{Kind: lifecycle.FailProvider, Status: 503, Message: "The model is overloaded.", Temporary: true}},
	})
}
