package gemini

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait bounds what a server may ask for: beyond it the figure is taken
// for a mistake, and a person would rather see the failure.
const longestWait = 10 * time.Minute

// retryAfter reads what the headers ask to wait: milliseconds, seconds or a
// date. Nothing that can be used is 0.
func retryAfter(header http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms / 1000)
	}
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return bounded(seconds)
	}
	if date, err := http.ParseTime(value); err == nil {
		return bounded(time.Until(date).Seconds())
	}
	return 0
}

// retryDelay reads the same from an error's details (google.rpc.RetryInfo).
func retryDelay(details []map[string]any) time.Duration {
	for _, detail := range details {
		if text, ok := detail["retryDelay"].(string); ok {
			if delay, err := time.ParseDuration(text); err == nil {
				return bounded(delay.Seconds())
			}
		}
	}
	return 0
}

// usedUp finds a quota of a whole day among those that an error names
// (google.rpc.QuotaFailure).
func usedUp(details []map[string]any) bool {
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

// bounded also takes what is no number at all to 0.
func bounded(seconds float64) time.Duration {
	switch {
	case seconds > longestWait.Seconds():
		return longestWait
	case seconds > 0:
		return time.Duration(seconds * float64(time.Second))
	}
	return 0
}
