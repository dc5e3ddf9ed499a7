package anthropic

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/agent"
	"pawl/lifecycle"
)

// errCut is a stream that ended before its answer did.
var errCut = errors.New("the stream ended in the middle of the answer")

// malformed is a stream that makes no sense. Asking again may.
func malformed(what string) error {
	return &agent.ProviderError{
		Kind: lifecycle.FailProvider, Temporary: true, Err: errCut,
		Message: "Anthropic sent a stream that makes no sense: " + what,
	}
}

// failure gives an error of the SDK its meaning. A context that has ended comes
// first: whatever else is reported then is its consequence.
func (p *Provider) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var refused *sdk.Error
	if errors.As(err, &refused) {
		return p.refusal(refused)
	}
	failure := &agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true, Err: err}
	var (
		request     *url.Error
		syntax      *json.SyntaxError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &certificate):
		failure.Temporary = false
		failure.Message = "no safe connection to Anthropic: " + certificate.Err.Error()
	case errors.As(err, &request): // its own text holds the address
		failure.Message = "no connection to Anthropic: " + request.Err.Error()
	case errors.As(err, &syntax):
		failure.Message = "Anthropic sent an event that is not valid JSON"
	case errors.Is(err, errCut), errors.Is(err, io.ErrUnexpectedEOF):
		failure.Message = "Anthropic cut the answer off: the stream ended before its end"
	default:
		failure.Message = "the connection to Anthropic broke: " + err.Error()
	}
	failure.Message = p.line(failure.Message)
	return failure
}

// refusal reads an error that the server sent, as the answer to the request or
// as an event in the middle of a stream, where the HTTP status says nothing.
func (p *Provider) refusal(refused *sdk.Error) error {
	status := refused.StatusCode
	if status == http.StatusOK {
		status = statusOf(refused.Type())
	}
	header := http.Header{}
	if refused.Response != nil {
		header = refused.Response.Header
	}
	said := p.said(refused.RawJSON(), status)
	failure := agent.StatusError(status, retryAfter(header), "Anthropic: "+said, refused)
	if header.Get("x-should-retry") == "false" {
		failure.Temporary = false
	}
	if status == http.StatusBadRequest && tooLong(said) {
		failure.Kind = lifecycle.FailContextLength
	}
	return failure
}

// statusOf gives an error event the status that its type has as an answer
// (platform.claude.com/docs/en/api/errors).
func statusOf(kind sdk.ErrorType) int {
	switch kind {
	case sdk.ErrorTypeInvalidRequestError:
		return http.StatusBadRequest
	case sdk.ErrorTypeAuthenticationError:
		return http.StatusUnauthorized
	case sdk.ErrorTypeBillingError:
		return http.StatusPaymentRequired
	case sdk.ErrorTypePermissionError:
		return http.StatusForbidden
	case sdk.ErrorTypeNotFoundError:
		return http.StatusNotFound
	case sdk.ErrorTypeRateLimitError:
		return http.StatusTooManyRequests
	case sdk.ErrorTypeTimeoutError:
		return http.StatusGatewayTimeout
	case sdk.ErrorTypeOverloadedError:
		return 529
	case sdk.ErrorTypeAPIError:
		return http.StatusInternalServerError
	case "request_too_large": // no constant in the SDK
		return http.StatusRequestEntityTooLarge
	default:
		return http.StatusInternalServerError
	}
}

// tooLong knows the ways in which the API says that a request does not fit.
func tooLong(message string) bool {
	message = strings.ToLower(message)
	for _, way := range []string{"prompt is too long", "exceed context limit", "context window", "maximum context length"} {
		if strings.Contains(message, way) {
			return true
		}
	}
	return false
}

// said is the message in an error's body, or what the status means where the
// body has none: gateways answer with pages.
func (p *Provider) said(body string, status int) string {
	var parsed struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(body), &parsed) == nil && parsed.Error.Message != "" {
		return p.line(parsed.Error.Message)
	}
	body = strings.TrimSpace(body)
	if body == "" || strings.HasPrefix(body, "<") || strings.HasPrefix(body, "{") {
		if text := http.StatusText(status); text != "" {
			return text
		}
		return "an error without a message"
	}
	return p.line(body)
}

// line makes a message one line of at most 300 characters, without the key.
func (p *Provider) line(message string) string {
	if p.key != "" {
		message = strings.ReplaceAll(message, p.key, "[key]")
	}
	message = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, message)
	runes := []rune(strings.Join(strings.Fields(message), " "))
	if len(runes) > 300 {
		return string(runes[:299]) + "…"
	}
	return string(runes)
}
