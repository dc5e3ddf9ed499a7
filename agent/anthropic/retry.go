package anthropic

import (
	"net/http"
	"strconv"
	"time"
)

// longestWait bounds what a server may ask for: beyond it the figure is taken
// for a mistake, and a person would rather see the failure.
const longestWait = 10 * time.Minute

// retryAfter reads what the server asks to wait: milliseconds, seconds or a
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
