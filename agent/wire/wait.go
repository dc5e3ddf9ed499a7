package wire

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait keeps what a server says within what a time.Duration can hold. How
// much of it is waited for is the loop's to say.
const maxWait = 100 * 365 * 24 * time.Hour

// RetryAfter reads how long a server asks to be left alone: milliseconds,
// seconds or a date. Nothing that can be used is 0.
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

// number reads a figure. One that is out of range is infinite.
func number(text string) (float64, bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// seconds also takes what is no number at all to 0.
func seconds(n float64) time.Duration {
	if n > 0 {
		return time.Duration(min(n, maxWait.Seconds()) * float64(time.Second))
	}
	return 0
}

// Wait is a wait that a server asked for: none if it is over already.
func Wait(asked time.Duration) time.Duration { return min(max(asked, 0), maxWait) }

// waitInText reads "Please try again in 1.2s.", all that a stream can say.
func waitInText(message string) time.Duration {
	_, rest, _ := strings.Cut(message, "try again in ")
	word, _, _ := strings.Cut(rest, " ")
	asked, err := time.ParseDuration(strings.TrimRight(word, ".,"))
	if err != nil {
		return 0
	}
	return Wait(asked)
}
