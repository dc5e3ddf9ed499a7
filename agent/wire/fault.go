package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// maxErrorBody is how much of an error response is read, in bytes.
const maxErrorBody = 64 << 10

// Fault is what a server says about an error, in the body of a refused request or an event
// of a stream. As an error, it is the cause of the *agent.ProviderError made from it.
type Fault struct {
	Message, Kind, Code, Param string
	Details                    []map[string]any // further details from Google's servers, typed as in google.rpc
	refused                    bool             // the request was refused; no answer had begun
}

func (f Fault) Error() string { return f.Message }

// ReadFault finds the fault in any of the forms in which servers send it. The message is
// empty for what is neither valid JSON nor plain text, such as a proxy's web page.
func ReadFault(body []byte) Fault {
	body = bytes.TrimSpace(body)
	if wrapped := []json.RawMessage(nil); json.Unmarshal(body, &wrapped) == nil && len(wrapped) > 0 {
		body = wrapped[0]
	}
	var top map[string]any
	if json.Unmarshal(body, &top) != nil {
		if len(body) == 0 || strings.ContainsRune("<{[", rune(body[0])) {
			return Fault{}
		}
		return Fault{Message: string(body)}
	}
	fields, ok := top["error"].(map[string]any)
	if !ok {
		fields = top
	}
	f := Fault{
		Message: cmp.Or(word(fields["message"]), word(top["error"]), word(top["detail"])),
		Kind:    word(fields["type"]),
		Code:    word(fields["code"]),
		Param:   word(fields["param"]),
	}
	details, _ := fields["details"].([]any)
	for _, detail := range details {
		if detail, ok := detail.(map[string]any); ok {
			f.Details = append(f.Details, detail)
		}
	}
	if f.Message == "" && fields["detail"] != nil {
		detail, _ := json.Marshal(fields["detail"]) // it was JSON
		f.Message = string(detail)
	}
	if meta, ok := fields["metadata"].(map[string]any); ok && word(meta["raw"]) != "" {
		f.Message += ": " + word(meta["raw"]) // a router passes on what its provider said
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

// Accept returns a response that can be an answer. For any other it closes the body and
// returns the error, whose cause is the server's Fault, if it sent one. A server can
// forbid retries, as OpenAI and Anthropic do.
func (p Peer) Accept(res *http.Response) (*http.Response, error) {
	page := strings.Contains(res.Header.Get("Content-Type"), "text/html")
	if res.StatusCode == http.StatusOK && !page {
		return res, nil
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return nil, &agent.ProviderError{
			Kind:    lifecycle.FailProvider,
			Message: p.Name + " sent a web page instead of an answer: check its address",
		}
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // a part is better than nothing
	f := ReadFault(body)
	f.refused = true
	failed := p.Judge(f, res.StatusCode, RetryAfter(res.Header, time.Now()))
	failed.Temporary = failed.Temporary && res.Header.Get("X-Should-Retry") != "false"
	return nil, failed
}

// Objection returns what a server objects to in a request that it might accept in another
// form. ok is false for all other errors.
func Objection(err error) (f Fault, ok bool) {
	var failed *agent.ProviderError
	if !errors.As(err, &failed) || !errors.As(err, &f) || !f.refused {
		return Fault{}, false
	}
	return f, failed.Status == http.StatusBadRequest || failed.Status == http.StatusUnprocessableEntity
}
