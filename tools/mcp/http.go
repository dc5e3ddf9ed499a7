package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/tools/mcp/oauth"
)

const (
	// streamLimit is how long a server may take to answer whether it offers a stream of its own
	// messages. The stream is optional: a server that does not answer has none.
	streamLimit = 3 * time.Second
	// longestAnswer limits an answer that is not a stream, in bytes; the SDK limits the events
	// of a stream.
	longestAnswer = 16 << 20
)

// errUnauthorized is the error for status 401 where no login can help: the configuration has a
// token of its own, or none may be sent to the address.
var errUnauthorized = errors.New("it refuses what it is given (HTTP 401): set a header with a valid token, such as Authorization")

// overHTTP connects to an address. The client's own timeout for headers is removed: each call
// has a limit.
func (o Options) overHTTP(life context.Context, s Spec) link {
	client := o.HTTP
	life, cut := context.WithCancel(life)
	obs := &observer{}
	d := &boundedTransport{life: life, headers: s.Headers, base: http.DefaultTransport, observer: obs}
	transport := &sdk.StreamableClientTransport{Endpoint: s.URL}
	bearer := o.bearer(s)
	if bearer != nil {
		d.bearer, transport.OAuthHandler = bearer, bearer
	}
	own := http.Client{}
	if client != nil {
		own = *client
	}
	if transport, ok := own.Transport.(*http.Transport); ok {
		clone := transport.Clone()
		clone.ResponseHeaderTimeout = 0
		d.base = clone
		context.AfterFunc(life, clone.CloseIdleConnections)
	}
	own.Transport = d
	transport.HTTPClient = &own
	gone := make(chan struct{})
	close(gone) // no process runs here
	return link{
		transport: transport, cut: cut, gone: gone,
		words: func() (ended, said string) { return "", "" }, said: func() string { return "" }, observer: obs,
	}
}

// bearer returns the tokens of a server; nil where a login can be of no use: a header of its own
// says who asks, or a token could be read on its way.
func (o Options) bearer(s Spec) *oauth.Bearer {
	if o.Logins == nil || ownToken(s.Headers) || !oauth.Protected(s.URL) {
		return nil
	}
	return o.Logins.For(s.Name, s.URL)
}

// boundedTransport is the http.RoundTripper of all requests to one server: it adds the server's headers,
// ends requests with the connection, and limits answers.
type boundedTransport struct {
	life     context.Context
	headers  map[string]string
	base     http.RoundTripper
	observer *observer
	bearer   *oauth.Bearer // gives the SDK its tokens; nil: none
}

// RoundTrip implements http.RoundTripper.
func (d *boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	release := context.AfterFunc(d.life, cancel)
	stream := r.Method == http.MethodGet
	if stream {
		defer time.AfterFunc(streamLimit, cancel).Stop()
	}
	r = r.Clone(ctx)
	for name, value := range d.headers {
		r.Header.Set(name, value)
	}
	answer, err := d.base.RoundTrip(r)
	end := func() {
		release()
		cancel()
	}
	noStream := func() (*http.Response, error) {
		end()
		return &http.Response{StatusCode: http.StatusMethodNotAllowed, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	switch {
	case err != nil && stream && ctx.Err() != nil: // too late, or cut: retrying would not help
		return noStream()
	case err == nil && stream && answer.StatusCode == http.StatusUnauthorized: // nobody needs it; requests say what is missing
		answer.Body.Close()
		return noStream()
	case err != nil:
		end()
		return nil, err
	case answer.StatusCode == http.StatusUnauthorized && (d.bearer == nil || r.Method != http.MethodPost):
		answer.Body.Close()
		end()
		return nil, errUnauthorized
	}
	left := int64(longestAnswer)
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		left = -1
	}
	if d.bearer != nil {
		answer.Body = d.bearer.Hiding(answer.Body)
	}
	answer.Body = &boundedBody{ReadCloser: answer.Body, left: left, end: end, listener: listener{observer: d.observer, stream: left < 0}}
	return answer, nil
}

// boundedBody is an answer of limited length; left is negative if there is no limit.
type boundedBody struct {
	io.ReadCloser
	left     int64
	end      func()
	listener listener
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, fmt.Errorf("its answer is longer than %d MB", longestAnswer>>20)
	}
	if b.left > 0 {
		p = p[:min(int64(len(p)), b.left)]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	b.listener.pass(p[:n], err)
	return n, err
}

// Close ends the request.
func (b *boundedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}
