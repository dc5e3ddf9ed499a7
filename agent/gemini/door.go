package gemini

import (
	"fmt"
	"io"
	"net/http"

	"pawl/agent/wire"
)

// door is the transport in front of the SDK. It is not a well-behaved one: it
// makes an error of every refusal, because the SDK keeps neither status nor
// headers of it, and Retry-After is in them.
type door struct {
	next http.RoundTripper
}

// behindDoor is the client that the SDK gets.
func behindDoor(client *http.Client) *http.Client {
	if client == nil {
		client = wire.Client()
	}
	behind := *client
	if behind.Transport == nil {
		behind.Transport = http.DefaultTransport
	}
	behind.Transport = door{behind.Transport}
	return &behind
}

// exchange is what both sides of the door know of a request. The request's
// context is the one way between them that the SDK leaves open.
type exchange struct {
	life *wire.Pulse
	take func(event []byte) bool // see wire.Clean
	body *wire.Body              // nil until there is an answer
}

func (x *exchange) packed() bool { return x.body != nil && x.body.Packed() }

type exchangeOf struct{}

// refusal is an answer with a status that says no.
type refusal struct {
	status int
	header http.Header
	body   []byte
}

func (r *refusal) Error() string { return fmt.Sprintf("HTTP status %d", r.status) }

// RoundTrip implements http.RoundTripper.
func (d door) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := d.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		defer func() { _ = res.Body.Close() }()
		// What a broken body still says is enough: the status counts.
		body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
		return nil, &refusal{status: res.StatusCode, header: res.Header, body: body}
	}
	if req.URL.Query().Get("alt") == "sse" {
		if x, ok := req.Context().Value(exchangeOf{}).(*exchange); ok {
			res.Body = x.life.Body(res.Body)
			x.body = wire.Clean(res, keys(), false, x.take)
		}
	}
	return res, nil
}
