package wire

import (
	"net/http"
	"net/http/httptest"
	"testing"
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

func TestClientGivesUpOnAServerWithoutHeaders(t *testing.T) {
	transport := Client().Transport.(*http.Transport)
	require.Equal(t, time.Minute, transport.ResponseHeaderTimeout)
	transport.ResponseHeaderTimeout = time.Millisecond
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(s.Close)
	_, err := get(t, &http.Client{Transport: transport}, s.URL)
	require.Equal(t, "no connection to the server: net/http: timeout awaiting response headers", server.Broken(err).Message)
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
