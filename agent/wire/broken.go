package wire

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// The ways in which a stream is no answer, other than those that have types.
var (
	ErrCut        = errors.New("the stream ended in the middle of the answer")
	ErrUnreadable = errors.New("an event cannot be read")
)

// Failed gives the error of a request that no whole answer came to its meaning.
// A context that has ended comes first: whatever else is reported then is its
// consequence. What is a *agent.ProviderError already stays as it is.
func (p Peer) Failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *agent.ProviderError
	if errors.As(err, &known) {
		return known
	}
	return p.Broken(err)
}

// Broken is for a connection that did not hold, or brought nonsense. Asking
// again may help, unless nothing can come of it.
func (p Peer) Broken(err error) *agent.ProviderError {
	var (
		message     string
		request     *url.Error
		syntax      *json.SyntaxError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &certificate):
		message = "no safe connection to " + p.Name + ": " + certificate.Err.Error()
	case errors.As(err, &request): // its own text holds the address
		message = "no connection to " + p.Name + ": " + request.Err.Error()
	case errors.As(err, &syntax):
		message = p.Name + " sent an event that is not valid JSON"
	case errors.Is(err, ErrUnreadable):
		message = p.Name + " sent an event that cannot be read"
	case errors.Is(err, ErrCut), errors.Is(err, io.ErrUnexpectedEOF):
		message = p.Name + " cut the answer off: the stream ended before its end"
	default:
		message = "the connection to " + p.Name + " broke: " + err.Error()
	}
	return &agent.ProviderError{
		Kind: lifecycle.FailProvider, Message: p.Line(message), Err: err,
		Temporary: certificate == nil && !badAddress(err) && !errors.Is(err, errEndless),
	}
}

// badAddress says whether the address is one that no request can go to. Most
// of these errors have no types.
func badAddress(err error) bool {
	var request *url.Error
	return errors.As(err, &request) && request.Op == "parse" ||
		strings.Contains(err.Error(), "failed to parse url") || strings.Contains(err.Error(), "unsupported protocol scheme")
}

// Malformed is an answer that makes no sense. Asking again may.
func (p Peer) Malformed(what string) *agent.ProviderError {
	return &agent.ProviderError{
		Kind: lifecycle.FailProvider, Message: p.Line(p.Name + " sent an answer that makes no sense: " + what), Temporary: true, Err: ErrCut,
	}
}

// MissingKey is for a provider that was given no key; variable is where it is set.
func (p Peer) MissingKey(variable string) *agent.ProviderError {
	return &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "no key for " + p.Name + ": set " + variable}
}
