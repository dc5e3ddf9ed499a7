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

// The errors of a stream that have no types of their own.
var (
	ErrCut        = errors.New("the stream ended in the middle of the answer")
	ErrUnreadable = errors.New("an event cannot be read")
)

// Failed classifies the error of a request that got no complete answer. If ctx has ended,
// its error takes precedence, because any other is a consequence. A *agent.ProviderError
// is returned unchanged.
func (p Peer) Failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if known, is := errors.AsType[*agent.ProviderError](err); is {
		return known
	}
	return p.Broken(err)
}

// Broken is the error of a connection that failed or brought invalid data. It is
// temporary, unless retrying is pointless.
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
	case errors.As(err, &request): // its own text contains the address
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

// badAddress reports whether no request can be sent to the address. Most of these errors
// have no types.
func badAddress(err error) bool {
	var request *url.Error
	return errors.As(err, &request) && request.Op == "parse" ||
		strings.Contains(err.Error(), "failed to parse url") || strings.Contains(err.Error(), "unsupported protocol scheme")
}

// Malformed is the error of an answer that makes no sense. It is temporary.
func (p Peer) Malformed(what string) *agent.ProviderError {
	return &agent.ProviderError{
		Kind: lifecycle.FailProvider, Message: p.Line(p.Name + " sent an answer that makes no sense: " + what), Temporary: true, Err: ErrCut,
	}
}

// NeedsKey returns the error of a provider without a key, or nil; variable is where to set it.
func (p Peer) NeedsKey(variable string) error {
	if p.Key != "" || p.Keyless {
		return nil
	}
	return &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "no key for " + p.Name + ": set " + variable}
}
