package chat

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// A stop in the middle of a stream, or before its headers, returns at once and
// leaves no connection behind.
func TestCancel(t *testing.T) {
	for name, start := range map[string]string{
		"before the headers": "",
		"in mid-stream":      stream(t, "text.sse").Body[:900],
	} {
		t.Run(name, func(t *testing.T) {
			asked, closed := make(chan struct{}), make(chan struct{})
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if start != "" {
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, start)
					w.(http.Flusher).Flush()
				}
				close(asked)
				<-r.Context().Done()
				close(closed)
			}))
			defer h.Close()
			p := New(Options{Key: key, BaseURL: h.URL, HTTPClient: h.Client()})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, _, _, err := ask(ctx, p, hello())
				ended <- err
			}()
			<-asked
			cancel()
			require.Equal(t, context.Canceled, <-ended)
			<-closed
		})
	}
}
