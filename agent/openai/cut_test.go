package openai

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// cutter serves the first bytes of a stream, as many as the model's name says. A
// rude one closes the connection in the middle of the body.
func cutter(t *testing.T, body string, rude bool) *Provider {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.Header.Get("X-Cut"))
		w.Header().Set("Content-Type", "text/event-stream")
		if rude {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		}
		_, _ = io.WriteString(w, body[:n])
	}))
	t.Cleanup(h.Close)
	client := h.Client()
	client.Transport = cutHeader{client.Transport}
	return New(Options{Key: key, BaseURL: h.URL, HTTPClient: client})
}

// cutHeader tells the server where to cut, from the request's context.
type cutHeader struct{ http.RoundTripper }

type cutAt struct{}

func (c cutHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Cut", strconv.Itoa(r.Context().Value(cutAt{}).(int)))
	return c.RoundTripper.RoundTrip(r)
}

// A stream that is cut anywhere is a whole answer or a temporary error.
func TestCutAtEveryByte(t *testing.T) {
	for _, file := range []struct {
		name string
		step int
	}{{"text.sse", 1}, {"calls.sse", 13}} {
		body := stream(t, file.name).body
		want, _, _, err := ask(t.Context(), first(serve(t, stream(t, file.name))), hello())
		require.NoError(t, err)
		for _, rude := range []bool{false, true} {
			p := cutter(t, body, rude)
			step := file.step
			if rude {
				step *= 7
			}
			for n := 0; n < len(body); n += step {
				got, _, _, err := ask(context.WithValue(t.Context(), cutAt{}, n), p, hello())
				if err == nil {
					require.Equal(t, want, got, n)
					continue
				}
				var failed *agent.ProviderError
				require.ErrorAs(t, err, &failed, n)
				require.True(t, failed.Temporary, n)
				require.Equal(t, agent.Response{}, got, n)
			}
		}
	}
}

func first(p *Provider, _ *server) *Provider { return p }

// A stop in the middle of a stream, or before its headers, returns at once and
// leaves no connection behind.
func TestCancel(t *testing.T) {
	for name, start := range map[string]string{
		"before the headers": "",
		"in mid-stream":      stream(t, "text.sse").body[:2600],
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
