package gemini

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/lifecycle"
)

// malformed is a stream that makes no sense. Asking again may.
func malformed(what string) error {
	return &agent.ProviderError{
		Kind: lifecycle.FailProvider, Temporary: true, Err: errCut,
		Message: line("Gemini sent an answer that makes no sense: " + what),
	}
}

// failure gives an error of the SDK its meaning. A context that has ended comes
// first: whatever else is reported then is its consequence.
func (p *Provider) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var (
		known    *agent.ProviderError
		refused  *refusal
		reported genai.APIError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		return p.refused(refused.status, refused.header, parse(refused.body), refused)
	case errors.As(err, &reported): // in the middle of a stream, or an error sent as a success
		if reported.Code == 0 {
			reported.Code = http.StatusInternalServerError
		}
		return p.refused(reported.Code, http.Header{}, reported, err)
	}
	return p.broke(err)
}

// broke is for a connection that did not hold.
func (p *Provider) broke(err error) error {
	failure := &agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true, Err: err}
	var (
		request     *url.Error
		syntax      *json.SyntaxError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &certificate):
		failure.Temporary = false
		failure.Message = "no safe connection to Gemini: " + certificate.Err.Error()
	case errors.As(err, &request): // its own text holds the address
		failure.Message = "no connection to Gemini: " + request.Err.Error()
	case errors.As(err, &syntax):
		failure.Message = "Gemini sent an event that is not valid JSON"
	case strings.HasPrefix(err.Error(), "iterateResponseStream:"): // the SDK's errors have no types
		failure.Message = "Gemini sent an event that cannot be read"
	default:
		failure.Message = "the connection to Gemini broke: " + err.Error()
	}
	failure.Message = p.line(failure.Message)
	return failure
}

// refused reads an error that the server sent. Gemini says 400 to a wrong key
// and to a request that does not fit, and puts what it wants waited into the
// body.
func (p *Provider) refused(status int, header http.Header, said genai.APIError, cause error) error {
	message := said.Message
	if message == "" {
		message = http.StatusText(status)
	}
	if message == "" {
		message = "an error without a message"
	}
	wait := retryAfter(header)
	if wait == 0 {
		wait = retryDelay(said.Details)
	}
	failure := agent.StatusError(status, wait, p.line("Gemini: "+message), cause)
	switch {
	case status == http.StatusBadRequest && wrongKey(said):
		failure.Kind = lifecycle.FailAuth
	case status == http.StatusBadRequest && tooLong(message):
		failure.Kind = lifecycle.FailContextLength
	case status == 499: // the server gave up on the request by itself
		failure.Temporary = true
	case status == http.StatusTooManyRequests && usedUp(said.Details):
		failure.Temporary = false // there is none left until tomorrow
	}
	return failure
}

// parse reads an error's body: an object, or a list with one. Gateways answer
// with pages or plain text.
func parse(body []byte) genai.APIError {
	var parsed struct {
		Error genai.APIError `json:"error"`
	}
	body = bytes.TrimSpace(body)
	one := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(body, []byte("[")), []byte("]")))
	if json.Unmarshal(one, &parsed) == nil && parsed.Error.Message != "" {
		return parsed.Error
	}
	if len(body) == 0 || strings.ContainsRune("<{[", rune(body[0])) {
		return genai.APIError{}
	}
	return genai.APIError{Message: string(body)}
}

func wrongKey(said genai.APIError) bool {
	for _, detail := range said.Details {
		if reason, _ := detail["reason"].(string); reason == "API_KEY_INVALID" {
			return true
		}
	}
	return strings.Contains(strings.ToLower(said.Message), "api key")
}

// tooLong knows the ways in which the API says that a request does not fit.
func tooLong(message string) bool {
	message = strings.ToLower(message)
	for _, way := range []string{"exceeds the maximum number of tokens", "input token count", "request payload size exceeds", "context window"} {
		if strings.Contains(message, way) {
			return true
		}
	}
	return false
}

// line is line without the key in it.
func (p *Provider) line(message string) string {
	if p.key != "" {
		message = strings.ReplaceAll(message, p.key, "[key]")
	}
	return line(message)
}

// line makes a message one line of at most 300 characters.
func line(message string) string {
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
