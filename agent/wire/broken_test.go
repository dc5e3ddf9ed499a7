package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func TestBrokenConnections(t *testing.T) {
	syntax := json.Unmarshal([]byte("{"), new(any))
	for message, err := range map[string]error{
		"no connection to the server: EOF":                                    &url.Error{Op: "Post", URL: "http://x/?key=" + key, Err: io.EOF},
		"the server sent an event that is not valid JSON":                     fmt.Errorf("%w: %w", ErrUnreadable, syntax),
		"the server sent an event that cannot be read":                        fmt.Errorf("%w as a chunk", ErrUnreadable),
		"the server cut the answer off: the stream ended before its end":      ErrCut,
		"the connection to the server broke: read tcp " + "[key]" + ": reset": errors.New("read tcp " + key + ": reset"),
	} {
		require.Equal(t, &agent.ProviderError{Kind: lifecycle.FailProvider, Message: message, Temporary: true, Err: err}, server.Broken(err))
	}
	require.Equal(t, server.Broken(ErrCut).Message, server.Broken(fmt.Errorf("flate: %w", io.ErrUnexpectedEOF)).Message)
}

// Nothing listens, or nothing that may be trusted.
func TestNoConnection(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err := get(t, Client(), closed.URL+"/v1/models")
	failure := server.Broken(err)
	require.True(t, failure.Temporary)
	require.Contains(t, failure.Message, "no connection to the server: dial tcp")
	require.NotContains(t, failure.Message, "/v1/")

	strange := httptest.NewUnstartedServer(http.NotFoundHandler())
	strange.Config.ErrorLog = log.New(io.Discard, "", 0)
	strange.StartTLS()
	t.Cleanup(strange.Close)
	_, err = get(t, Client(), strange.URL)
	failure = server.Broken(err)
	require.False(t, failure.Temporary)
	require.Contains(t, failure.Message, "no safe connection to the server")
}

func TestAddressesThatCannotWork(t *testing.T) {
	for _, address := range []string{"ftp://host/v1", "http://ho st/v1", "http://[::1/v1"} {
		_, err := get(t, Client(), address)
		require.False(t, server.Broken(err).Temporary, address)
	}
}

func TestWhatIsKnownAlreadyStaysAsItIs(t *testing.T) {
	known := &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "no"}
	require.Equal(t, known, server.Failed(t.Context(), fmt.Errorf("around it: %w", known)))
	require.Equal(t, server.Broken(ErrCut), server.Failed(t.Context(), ErrCut))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, context.Canceled, server.Failed(ctx, known))
}
