package wire

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// Judge classifies a fault by the names that OpenAI and those who imitate it use for errors,
// and puts the peer's name before the message. status and wait are 0 inside a stream.
func (p Peer) Judge(f Fault, status int, wait time.Duration) *agent.ProviderError {
	if number, _ := strconv.Atoi(f.Code); status == 0 && number >= 400 && number < 600 {
		status = number
	}
	if wait == 0 {
		wait = waitInText(f.Message)
	}
	f.Message = p.Reason(f.Message, status)
	e := agent.StatusError(status, wait, f.Message, f)
	if status == 0 {
		e.Temporary = f.Code == "" && f.Kind != "invalid_request_error"
	}
	for _, name := range []string{f.Kind, f.Code} { // the code is more specific
		correct(e, name)
	}
	if exceedsContext(e) {
		e.Kind, e.Temporary = lifecycle.FailContextLength, false
	}
	if p.Correct != nil {
		p.Correct(e, f)
	}
	e.Message = p.Name + ": " + e.Message
	return e
}

// correct applies the server's own name for the error.
func correct(e *agent.ProviderError, name string) {
	switch name {
	case "rate_limit_exceeded", "rate_limit_error", "too_many_requests", "slow_down":
		e.Kind, e.Temporary = lifecycle.FailRateLimited, true
	case "overloaded_error", "server_is_overloaded", "overloaded":
		if e.Status == 0 { // it came amid an answer
			e.Temporary, e.Status = true, http.StatusServiceUnavailable
		}
	case "server_error", "internal_error", "internal_server_error", "api_error", "timeout", "vector_store_timeout":
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

// exceedsContext reports whether the transcript is too long, for servers without a name
// for that error. A single request above the limit of tokens per minute counts too:
// waiting does not make it smaller.
func exceedsContext(e *agent.ProviderError) bool {
	if e.Status == http.StatusTooManyRequests {
		return strings.HasPrefix(strings.ToLower(e.Message), "request too large")
	}
	return e.Status < 500 && e.Kind == lifecycle.FailProvider && TooLong(e.Message)
}

// TooLong recognizes the messages with which servers say that a request exceeds the
// model's context.
func TooLong(message string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{
		"context length", "context window", "context size", "context limit", "prompt is too long", "input is too long",
		"too many input tokens", "input token count", "exceeds the maximum number of tokens", "request payload size exceeds",
	}, func(phrase string) bool { return strings.Contains(message, phrase) })
}
