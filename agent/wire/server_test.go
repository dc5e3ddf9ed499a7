package wire

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// endless is a server whose list of models has no end.
type endless struct{}

func (endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(strings.Repeat(" ", maxList+1)))}, nil
}

func TestAListWithoutAnEndIsAnError(t *testing.T) {
	s := NewServer(Options{BaseURL: "host", HTTPClient: &http.Client{Transport: endless{}}}, "")
	s.Name = "the server"
	_, err := s.Get(t.Context(), "/models")
	var failed *agent.ProviderError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "the server sent an answer that makes no sense: its list of models is too long", failed.Message)
}

func TestAnAddressIsAskedAsItIsMeant(t *testing.T) {
	for given, want := range map[string]string{
		"": "https://official/v1", "host": "https://host", "http://host/v1/": "http://host/v1", "127.0.0.1:9/proxy//": "https://127.0.0.1:9/proxy",
	} {
		require.Equal(t, want, NewServer(Options{BaseURL: given}, "https://official/v1").Base)
	}
}

// A field of another type does not spoil an event; what is no object does.
func TestAnEventIsReadByWhatFits(t *testing.T) {
	var e struct {
		Text string
		N    int
	}
	require.NoError(t, Decode([]byte(`{"text":["x"],"n":3}`), &e))
	require.Equal(t, 3, e.N)
	for _, event := range []string{`"text"`, `[]`, `12`, `{"text":`} {
		require.ErrorIs(t, Decode([]byte(event), &e), ErrUnreadable, event)
	}
}
