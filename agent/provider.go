package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pawl/lifecycle"
)

// Provider asks models of one maker or server. Each is a package of its own; only
// internal/models imports them.
type Provider interface {
	// Stream asks the model once and returns its complete answer. Meanwhile it passes each
	// piece to on, from the calling goroutine, in order. It returns promptly with ctx's
	// error when ctx ends; any other error is a *ProviderError. An answer without a stop
	// reason is an error, never a short answer. With an error, the Response holds only the
	// usage that the server reported, which is paid for; the loop estimates the rest.
	// Providers do not retry: the loop does, for all alike.
	Stream(ctx context.Context, req Request, on func(Delta)) (Response, error)
}

// Request is one question to a model.
type Request struct {
	Model     string // the provider's own name, without the prefix
	System    string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int     // of the answer; 0: the provider decides
	Thinking  Ability // a model that cannot think is not asked to
	// Effort is the level to ask for, one of lifecycle.EffortLevels; empty: the model decides. Of a model that
	// the table does not know it is what a person asked for, and may be refused.
	Effort string
	// Search is what the provider's own server may search, if it can; nil: nothing. Searches in the
	// history go back to it either way where it needs them.
	Search *WebSearch
}

// ToolSpec is what a model is told about a tool.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the input: an object
}

// Delta is a piece of an answer. At most one field is set. An empty Delta means that the
// stream is alive: the model writes something that is not shown, such as the arguments of
// a call, or the server only keeps the connection open. Providers report the latter for at
// most ten minutes without an event of the answer.
type Delta struct {
	Text     string
	Thinking string
	Call     string              // the tool of a call that has begun
	Search   *lifecycle.Searched // what the server has done on the web
}

// Response is a complete answer.
type Response struct {
	Message Message // role assistant
	Stop    StopReason
	Refusal string             // why it refused or stopped, in one line of the model's or the server's; often empty
	Usage   lifecycle.Usage    // tokens of the request that ended it; the loop adds the cost
	Earlier []lifecycle.Usage  // of the requests that it began with, where a server answers in several
	Said    lifecycle.Response // what the server says about the answer, one line each
	Effort  string             // what was sent of the request's effort, in the maker's words
	// NoEffort says in a few words why Effort is not that of the request, as what follows
	// the model's name in a sentence; empty if it is.
	NoEffort string
	// NoSearch says in the same way why the model was not offered the searches of the request;
	// empty if it was, or if its provider has none.
	NoSearch string
}

// StopReason says why a model stopped.
type StopReason string

// The stop reasons. Providers map their own to these, and any that they do not know to
// StopUnknown.
const (
	StopEnd       StopReason = "end"        // it was done
	StopToolCalls StopReason = "tool_calls" // it waits for results
	StopLength    StopReason = "length"     // cut off by a limit
	StopRefused   StopReason = "refused"    // the model or a filter declined
	StopUnknown   StopReason = "unknown"
)

// ProviderError is the error of a failed request.
type ProviderError struct {
	Kind       lifecycle.FailureKind // provider, rate_limited, auth, context_length or refused
	Status     int                   // HTTP status; 0: none
	Message    string                // one line for people: what the server said, without keys
	RetryAfter time.Duration         // what the server asked for; 0: nothing
	Temporary  bool                  // retrying may help
	Err        error                 // the cause, for errors.Is
}

func (e *ProviderError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.Message, e.Status)
	}
	return e.Message
}

func (e *ProviderError) Unwrap() error { return e.Err }

// StatusError classifies an HTTP status, alike for every provider: the kind of failure and
// whether to retry. message is what the server said, in one line.
func StatusError(status int, retryAfter time.Duration, message string, err error) *ProviderError {
	e := &ProviderError{Kind: lifecycle.FailProvider, Status: status, Message: message, RetryAfter: retryAfter, Err: err}
	switch {
	case status == 401 || status == 403:
		e.Kind = lifecycle.FailAuth
	case status == 413:
		e.Kind = lifecycle.FailContextLength
	case status == 429:
		e.Kind, e.Temporary = lifecycle.FailRateLimited, true
	case status == 408 || status == 409 || status == 425 || status >= 500:
		e.Temporary = true
	}
	return e
}
