package gemini

import (
	"net/http"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// correct handles what is specific to Google's errors. Gemini answers 400 to a wrong key,
// and puts the wait in the body.
func correct(failed *agent.ProviderError, said wire.Fault) {
	if failed.RetryAfter == 0 {
		failed.RetryAfter = retryDelay(said.Details)
	}
	switch {
	case failed.Status == http.StatusBadRequest && wrongKey(said):
		failed.Kind = lifecycle.FailAuth
	case failed.Status == 499: // the server gave up on the request
		failed.Temporary = true
	case failed.Status == http.StatusTooManyRequests && dailyQuotaUsed(said.Details):
		failed.Temporary = false // nothing is left until tomorrow
	}
}

func wrongKey(said wire.Fault) bool {
	for _, detail := range said.Details {
		if reason, _ := detail["reason"].(string); reason == "API_KEY_INVALID" {
			return true
		}
	}
	return strings.Contains(strings.ToLower(said.Message), "api key")
}
