package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// failure gives an error of the SDK its meaning. A context that has ended comes
// first: whatever else is reported then is its consequence.
func (p *Provider) failure(ctx context.Context, err error) error {
	var (
		refused  *refusal
		reported genai.APIError
	)
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &refused):
		return p.refused(refused.status, refused.header, parse(refused.body), refused)
	case errors.As(err, &reported): // in the middle of a stream, or an error sent as a success
		if reported.Code == 0 {
			reported.Code = http.StatusInternalServerError
		}
		return p.refused(reported.Code, http.Header{}, reported, err)
	case strings.HasPrefix(err.Error(), "iterateResponseStream:"): // the SDK's errors have no types
		err = fmt.Errorf("%w: %w", wire.ErrUnreadable, err)
	}
	return p.peer.Failed(ctx, err)
}

// refused reads an error that the server sent. Gemini says 400 to a wrong key
// and to a request that does not fit, and puts what it wants waited into the
// body.
func (p *Provider) refused(status int, header http.Header, said genai.APIError, cause error) error {
	wait := wire.RetryAfter(header, time.Now())
	if wait == 0 {
		wait = retryDelay(said.Details)
	}
	failure := agent.StatusError(status, wait, "Gemini: "+p.peer.Reason(said.Message, status), cause)
	switch {
	case status == http.StatusBadRequest && wrongKey(said):
		failure.Kind = lifecycle.FailAuth
	case status == http.StatusBadRequest && wire.TooLong(said.Message):
		failure.Kind = lifecycle.FailContextLength
	case status == 499: // the server gave up on the request by itself
		failure.Temporary = true
	case status == http.StatusTooManyRequests && usedUp(said.Details):
		failure.Temporary = false // there is none left until tomorrow
	}
	return failure
}

// parse reads an error's body: an object, or a list with one, with Google's
// details; or what gateways answer with.
func parse(body []byte) genai.APIError {
	var parsed struct {
		Error genai.APIError `json:"error"`
	}
	one := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("[")), []byte("]")))
	if json.Unmarshal(one, &parsed) == nil && parsed.Error.Message != "" {
		return parsed.Error
	}
	return genai.APIError{Message: wire.ReadFault(body).Message}
}

func wrongKey(said genai.APIError) bool {
	for _, detail := range said.Details {
		if reason, _ := detail["reason"].(string); reason == "API_KEY_INVALID" {
			return true
		}
	}
	return strings.Contains(strings.ToLower(said.Message), "api key")
}
