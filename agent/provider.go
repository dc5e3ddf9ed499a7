package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pawl/lifecycle"
)

// Provider is a place where models are asked. There is one folder a provider;
// only main imports them.
type Provider interface {
	// Stream asks the model once and returns its whole answer. While the answer
	// comes in it hands each piece to on, from the calling goroutine, in order.
	// It returns promptly when ctx ends, with ctx's error. Any other error is a
	// *ProviderError. An answer without a stop reason is an error, never a short
	// answer. With an error, the Response holds nothing but the usage that the
	// server had reported until then: it is paid for. What it had not, the loop
	// estimates. The provider does not retry: the loop does, for all alike.
	Stream(ctx context.Context, req Request, on func(Delta)) (Response, error)
}

// Request is one question to a model.
type Request struct {
	Model     string // the provider's own name of it, without the prefix
	System    string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int     // of the answer; 0 leaves it to the provider
	Thinking  Ability // what is known of the model: one that thinks not is not asked to, or to show it
}

// ToolSpec is what a model is told of a tool.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the input: an object
}

// Delta is a piece of an answer. At most one field is set; an empty Delta says
// that the stream is alive, while the model writes what nobody is shown (the
// arguments of a call, say) or the server only keeps the line open. That counts
// for ten minutes without a step of the answer, and not for ever.
type Delta struct {
	Text     string
	Thinking string
	Call     string // a call of this tool has begun
}

// Response is a whole answer.
type Response struct {
	Message Message // role assistant
	Stop    StopReason
	Refusal string             // the model's own words, or its server's, on why it refused, or stopped otherwise; one line, often none
	Usage   lifecycle.Usage    // tokens; the cost is the loop's to add
	Said    lifecycle.Response // of the answer, each in one line
}

// StopReason says why a model stopped.
type StopReason string

// The stop reasons, a closed set: a provider maps its own words to these, and
// what it does not know to StopUnknown.
const (
	StopEnd       StopReason = "end"        // it was done
	StopToolCalls StopReason = "tool_calls" // it waits for results
	StopLength    StopReason = "length"     // cut off by a limit
	StopRefused   StopReason = "refused"    // it, or a filter, declined
	StopUnknown   StopReason = "unknown"
)

// ProviderError is a request that did not succeed.
type ProviderError struct {
	Kind       lifecycle.FailureKind // provider, rate_limited, auth, context_length or refused
	Status     int                   // HTTP status, 0 where there was none
	Message    string                // one line for people: what the server said, no key in it
	RetryAfter time.Duration         // what the server asked for, 0 if nothing
	Temporary  bool                  // asking again may help
	Err        error                 // the cause, for errors.Is
}

func (e *ProviderError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.Message, e.Status)
	}
	return e.Message
}

func (e *ProviderError) Unwrap() error { return e.Err }

// StatusError gives an HTTP status its meaning, the same for every provider:
// what kind of failure it is and whether to ask again. message is what the
// server said, in one line.
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
