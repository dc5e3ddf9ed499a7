package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A redirect is not followed: it would carry the key to whoever it names.
func TestRedirectsAreRefused(t *testing.T) {
	s := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/v1", http.StatusTemporaryRedirect))
	t.Cleanup(s.Close)
	_, err := get(t, Client(), s.URL)
	require.ErrorContains(t, err, "the server redirects to https://elsewhere.example/v1")
}

// In virtual time, over a pipe: a server that takes the request and says nothing.
func TestClientGivesUpOnAServerWithoutHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := get(t, piped(func(end net.Conn) { _, _ = io.Copy(io.Discard, end) }), "http://silent.invalid")
		failure := server.Broken(err)
		require.Equal(t, "no connection to the server: net/http: timeout awaiting response headers", failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, time.Minute, time.Since(begun))
	})
}

func TestConnectionsThatEndAtOnceAreWorthAnotherTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := get(t, piped(func(end net.Conn) { end.Close() }), "http://gone.invalid")
		failure := server.Broken(err)
		require.Contains(t, failure.Message, "no connection to the server: ")
		require.True(t, failure.Temporary)
	})
}

// piped is the client with a server behind a pipe.
func piped(serve func(end net.Conn)) *http.Client {
	client := Client()
	transport := client.Transport.(*http.Transport)
	transport.Proxy = nil
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go serve(theirs)
		return ours, nil
	}
	return client
}

// A connection that nobody answers on any more must not be kept for the next
// request, in either version of HTTP.
func TestClientNoticesDeadConnections(t *testing.T) {
	transport := Client().Transport.(*http.Transport)
	require.Positive(t, transport.HTTP2.SendPingTimeout)
	require.Positive(t, transport.HTTP2.PingTimeout)
	require.NotNil(t, transport.Proxy, "the standard one's proxy stays")
	require.True(t, transport.ForceAttemptHTTP2, "a dialer of our own does not turn HTTP/2 off")
}

func get(t *testing.T, client *http.Client, address string) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err == nil {
		t.Cleanup(func() { _ = res.Body.Close() })
	}
	return res, err
}
