package anthropic

import (
	"context"
	"errors"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// failure gives an error of the SDK its meaning. A context that has ended comes
// first: whatever else is reported then is its consequence.
func (p *Provider) failure(ctx context.Context, err error) error {
	var refused *sdk.Error
	if ctx.Err() == nil && errors.As(err, &refused) {
		return p.refusal(refused)
	}
	return p.peer.Failed(ctx, err)
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
	said := p.peer.Reason(wire.ReadFault([]byte(refused.RawJSON())).Message, status)
	failure := agent.StatusError(status, wire.RetryAfter(header, time.Now()), "Anthropic: "+said, refused)
	if header.Get("x-should-retry") == "false" {
		failure.Temporary = false
	}
	if status == http.StatusBadRequest && wire.TooLong(said) {
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
