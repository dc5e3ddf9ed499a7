package wire

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait keeps a server's wait within the range of time.Duration. How long to wait really
// is the loop's decision.
const maxWait = 100 * 365 * 24 * time.Hour

// RetryAfter reads how long a server asks to wait: milliseconds, seconds or a date. It is
// 0 if there is nothing usable.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	if ms, ok := number(header.Get("Retry-After-Ms")); ok {
		return seconds(ms / 1000)
	}
	value := header.Get("Retry-After")
	if n, ok := number(value); ok {
		return seconds(n)
	}
	if date, err := http.ParseTime(value); err == nil {
		return Wait(date.Sub(now))
	}
	return 0
}

// number parses a number. One that is out of range is infinite.
func number(text string) (float64, bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// seconds converts NaN to 0 as well.
func seconds(n float64) time.Duration {
	if n > 0 {
		return time.Duration(min(n, maxWait.Seconds()) * float64(time.Second))
	}
	return 0
}

// Wait limits a wait that a server asked for; a negative one is 0.
func Wait(asked time.Duration) time.Duration { return min(max(asked, 0), maxWait) }

// waitInText parses "Please try again in 1.2s.", since a stream has no headers for it.
func waitInText(message string) time.Duration {
	_, rest, _ := strings.Cut(message, "try again in ")
	word, _, _ := strings.Cut(rest, " ")
	asked, err := time.ParseDuration(strings.TrimRight(word, ".,"))
	if err != nil {
		return 0
	}
	return Wait(asked)
}
