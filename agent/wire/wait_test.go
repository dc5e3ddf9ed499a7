package wire

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2025, 8, 27, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "-3": 0, "soon": 0, "NaN": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond,
		"Wed, 27 Aug 2025 12:00:30 GMT": 30 * time.Second, "Wed, 27 Aug 2025 11:00:00 GMT": 0, "Mon, 02 Jan 2006 15:04:05 GMT": 0,
		"Fri, 31 Dec 9999 23:59:59 GMT": maxWait, "31536000": 365 * 24 * time.Hour, "1e300": maxWait, "1e400": maxWait, "Inf": maxWait,
	} {
		require.Equal(t, want, RetryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
	require.Equal(t, 1500*time.Millisecond, RetryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"1500"}}, now))
}

func TestWaitInAText(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"Please try again in 11.054s.": 11054 * time.Millisecond, "try again in 20ms, or pay": 20 * time.Millisecond,
		"try again in 1h2m": 62 * time.Minute, "try again in a minute": 0, "1s": 0, "try again in -1s": 0,
	} {
		require.Equal(t, want, waitInText(text), text)
	}
}
