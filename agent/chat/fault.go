package chat

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"pawl/agent"
	"pawl/lifecycle"
)

// longestWait caps what a server may ask for: a header of a year is a mistake.
const longestWait = 10 * time.Minute

// longestMessage is how much of a server's words people are shown, in runes.
const longestMessage = 300

// fault is what a server says about its failure: the body of a refused request,
// or an event in a stream that had begun well.
type fault struct {
	message, kind, code, param string
	early                      bool // the request itself was refused: no answer had begun
}

func (f fault) Error() string { return f.message }

// readFault finds the fault in any of the shapes that servers give it. What is no
// JSON, a proxy's web page above all, has no message.
func readFault(body []byte) fault {
	body = bytes.TrimSpace(body)
	if wrapped := []json.RawMessage(nil); json.Unmarshal(body, &wrapped) == nil && len(wrapped) > 0 {
		body = wrapped[0]
	}
	var top map[string]any
	if json.Unmarshal(body, &top) != nil {
		if len(body) > 0 && body[0] != '<' && len(body) <= 4*longestMessage {
			return fault{message: string(body)}
		}
		return fault{}
	}
	fields, ok := top["error"].(map[string]any)
	if !ok {
		fields = top
	}
	f := fault{
		message: cmp.Or(word(fields["message"]), word(top["error"]), word(top["detail"])),
		kind:    word(fields["type"]),
		code:    word(fields["code"]),
		param:   word(fields["param"]),
	}
	if f.message == "" && fields["detail"] != nil {
		detail, _ := json.Marshal(fields["detail"])
		f.message = string(detail)
	}
	if meta, ok := fields["metadata"].(map[string]any); ok && word(meta["raw"]) != "" {
		f.message += ": " + word(meta["raw"]) // a router hands on what its provider said
	}
	return f
}

// word is a JSON string, or a JSON number as text.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// providerError gives the fault its meaning. status is 0 inside a stream; key is
// kept out of the message.
func (f fault) providerError(status int, wait time.Duration, key string) *agent.ProviderError {
	if number, _ := strconv.Atoi(f.code); status == 0 && number >= 400 && number < 600 {
		status = number
	}
	if wait == 0 {
		wait = waitInText(f.message)
	}
	f.message = cmp.Or(oneLine(f.message, key), http.StatusText(status), "the server gave no reason")
	e := agent.StatusError(status, wait, f.message, f)
	if status == 0 {
		e.Temporary = f.code == "" && f.kind != "invalid_request_error"
	}
	for _, name := range []string{f.kind, f.code} { // the code is the closer word
		f.name(e, name)
	}
	if f.tooLong(e) {
		e.Kind, e.Temporary = lifecycle.FailContextLength, false
	}
	return e
}

// name corrects the error by the server's own name for it.
func (f fault) name(e *agent.ProviderError, name string) {
	switch name {
	case "rate_limit_exceeded", "rate_limit_error", "too_many_requests", "slow_down":
		e.Kind, e.Temporary = lifecycle.FailRateLimited, true
	case "server_error", "internal_error", "internal_server_error", "api_error", "overloaded_error",
		"server_is_overloaded", "overloaded", "timeout", "vector_store_timeout":
		e.Temporary = e.Temporary || e.Status == 0
	case "insufficient_quota", "billing_hard_limit_reached", "usage_limit_reached":
		e.Kind, e.Temporary = lifecycle.FailRateLimited, false
	case "invalid_api_key", "authentication_error", "permission_error":
		e.Kind, e.Temporary = lifecycle.FailAuth, false
	case "context_length_exceeded", "exceed_context_size_error":
		e.Kind, e.Temporary = lifecycle.FailContextLength, false
	case "invalid_prompt", "content_filter", "content_policy_violation", "image_content_policy_violation",
		"bio_policy", "cyber_policy", "misalignment_policy_violation":
		e.Kind, e.Temporary = lifecycle.FailRefused, false
	}
}

// tooLong says whether the transcript is the trouble, for servers without a name
// for it. A single request over the limit of tokens a minute is one too: waiting
// does not make it smaller.
func (f fault) tooLong(e *agent.ProviderError) bool {
	said := strings.ToLower(f.message)
	if e.Status == http.StatusTooManyRequests {
		return strings.HasPrefix(said, "request too large")
	}
	if e.Status >= 500 || e.Kind != lifecycle.FailProvider {
		return false
	}
	for _, words := range []string{
		"context length", "context window", "context size", "prompt is too long", "input is too long", "too many input tokens",
	} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// oneLine makes a server's text fit for one line: no controls, no key, no page.
func oneLine(text, key string) string {
	if len(key) >= 4 {
		text = strings.ReplaceAll(text, key, "…")
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	for i, word := range words {
		at := strings.Index(word, "sk-")
		if at == 0 || at > 0 && !unicode.IsLetter(rune(word[at-1])) {
			words[i] = word[:at] + "sk-…"
		}
	}
	runes := []rune(strings.Join(words, " "))
	if len(runes) > longestMessage {
		return string(runes[:longestMessage-1]) + "…"
	}
	return string(runes)
}

// retryAfter reads how long the server asks to be left alone: 0 if it does not.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil {
		return clampWait(ms * float64(time.Millisecond))
	}
	value := header.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return clampWait(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return clampWait(float64(at.Sub(now)))
	}
	return 0
}

// waitInText reads "Please try again in 1.2s.", all that a stream can say.
func waitInText(message string) time.Duration {
	_, rest, found := strings.Cut(message, "try again in ")
	if !found {
		return 0
	}
	word, _, _ := strings.Cut(rest, " ")
	d, err := time.ParseDuration(strings.TrimRight(word, ".,"))
	if err != nil {
		return 0
	}
	return clampWait(float64(d))
}

func clampWait(d float64) time.Duration {
	if math.IsNaN(d) || d <= 0 {
		return 0
	}
	return time.Duration(min(d, float64(longestWait)))
}

// broken is the error of a request that no answer came to, or whose answer broke
// off. It is ctx's own where ctx has ended.
func broken(ctx context.Context, err error, key string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *agent.ProviderError
	if errors.As(err, &known) {
		return known
	}
	said := err.Error()
	var where *url.Error
	if errors.As(err, &where) { // its text repeats the address
		said = where.Err.Error()
	}
	var untrusted *tls.CertificateVerificationError
	hopeless := errors.As(err, &untrusted) || where != nil && where.Op == "parse" ||
		strings.Contains(said, "failed to parse url") || strings.Contains(said, "unsupported protocol scheme")
	return &agent.ProviderError{
		Kind:      lifecycle.FailProvider,
		Message:   oneLine("no whole answer came: "+said, key),
		Temporary: !hopeless,
		Err:       err,
	}
}
