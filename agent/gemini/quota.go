package gemini

import (
	"strings"
	"time"

	"pawl/agent/wire"
)

// retryDelay reads the wait from an error's details (google.rpc.RetryInfo).
func retryDelay(details []map[string]any) time.Duration {
	for _, detail := range details {
		if text, ok := detail["retryDelay"].(string); ok {
			if delay, err := time.ParseDuration(text); err == nil {
				return wire.Wait(delay)
			}
		}
	}
	return 0
}

// dailyQuotaUsed reports whether an error names a quota per day (google.rpc.QuotaFailure).
func dailyQuotaUsed(details []map[string]any) bool {
	for _, detail := range details {
		violations, _ := detail["violations"].([]any)
		for _, violation := range violations {
			fields, _ := violation.(map[string]any)
			if id, _ := fields["quotaId"].(string); strings.Contains(id, "PerDay") {
				return true
			}
		}
	}
	return false
}
