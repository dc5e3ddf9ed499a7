package wiretest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// Connection plays what can happen to the connection itself: no server, a redirect, a
// stop, and an address or a key that cannot work.
func (b Bench) Connection(t *testing.T) {
	t.Run("nobody is there", b.noServer)
	t.Run("a redirect", b.redirect)
	t.Run("an address that cannot work", b.badAddress)
	t.Run("no key", b.noKey)
	t.Run("a stop before the headers", func(t *testing.T) { b.released(t, "") })
	t.Run("a stop in the middle", func(t *testing.T) { b.released(t, b.Stream[:b.final()]) })
	t.Run("what a stop has cost", b.counted)
	t.Run("a listener that panics", b.panics)
}

// lists is a provider that can be asked for its models: all of them can.
type lists interface {
	Models(ctx context.Context) ([]agent.ModelListing, error)
}

// both asks for an answer and for the list of models, and wants an error of both.
func (b Bench) both(t *testing.T, p agent.Provider, look func(*agent.ProviderError)) {
	t.Helper()
	_, err := b.ask(t.Context(), t, p)
	_, listing := p.(lists).Models(t.Context())
	for _, err := range []error{err, listing} {
		var failed *agent.ProviderError
		require.ErrorAs(t, err, &failed)
		look(failed)
	}
}

func (b Bench) noServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	b.both(t, b.New(server.URL, server.Client()), func(failed *agent.ProviderError) {
		require.True(t, failed.Temporary)
		require.Equal(t, lifecycle.FailProvider, failed.Kind)
		require.Contains(t, failed.Message, "no connection to "+b.Who)
		require.Contains(t, failed.Message, "refused")
		require.NotContains(t, failed.Message, "/v1")
	})
}

// A redirect is not followed: it would carry the key to whoever it names.
func (b Bench) redirect(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/v1", http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	_, err := b.ask(t.Context(), t, b.New(server.URL, nil))
	require.ErrorContains(t, err, "the server redirects to https://elsewhere.example/v1")
}

func (b Bench) badAddress(t *testing.T) {
	for _, address := range []string{"ftp://host/v1", "http://ho st/v1", "http://[::1/v1"} {
		b.both(t, b.New(address, nil), func(failed *agent.ProviderError) { require.False(t, failed.Temporary, address) })
	}
}

func (b Bench) noKey(t *testing.T) {
	if b.Keyless == nil {
		t.Skip("its servers may want none")
	}
	b.both(t, b.Keyless("http://127.0.0.1:1"), func(failed *agent.ProviderError) {
		require.Equal(t, lifecycle.FailAuth, failed.Kind)
		require.False(t, failed.Temporary)
		require.Contains(t, failed.Message, "_API_KEY", "which variable to set")
	})
}

// released stops a request whose answer has come so far: it returns at once, with nothing
// but what it has cost, and lets go of the connection.
func (b Bench) released(t *testing.T, begun string) {
	waits, gone := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if begun != "" {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, begun)
			_ = http.NewResponseController(w).Flush()
		}
		close(waits)
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := make(chan struct{}, 1+len(begun))
	go func() {
		<-waits
		if begun != "" {
			<-heard
		}
		cancel()
	}()
	answer, err := b.New(server.URL, server.Client()).Stream(ctx, b.Request, func(agent.Delta) { heard <- struct{}{} })
	require.Equal(t, context.Canceled, err)
	answer.Usage, answer.Earlier = lifecycle.Usage{}, nil
	require.Empty(t, answer)
	<-gone
}

// counted stops a request before the final event of its answer.
func (b Bench) counted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := b.canned(func(r *http.Request) io.Reader {
		return io.MultiReader(strings.NewReader(b.Stream[:b.final()]), stalledBody{r.Context(), cancel})
	})
	answer, err := p.Stream(ctx, b.Request, func(agent.Delta) {})
	require.Equal(t, context.Canceled, err)
	require.Equal(t, agent.Response{Usage: b.Counted}, answer)
}

// A panic of whoever listens is not the server's mistake.
func (b Bench) panics(t *testing.T) {
	require.PanicsWithValue(t, "mine", func() {
		_, _ = b.playing(b.Stream).Stream(t.Context(), b.Request, func(agent.Delta) { panic("mine") })
	})
}
