package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// loopback is a server at an address of this machine; before sees each request
// first, and answers it where it says so.
func loopback(t *testing.T, before func(http.ResponseWriter, *http.Request) (answered bool)) Spec {
	t.Helper()
	server := serverOf("", &ears{})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		listener.CloseClientConnections()
		listener.Close()
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return Spec{Name: "web", From: "config.toml", URL: listener.URL}
}

func TestAServerAtAnAddressIsUsedAsAnyOther(t *testing.T) {
	var asked atomic.Bool
	spec := loopback(t, func(_ http.ResponseWriter, r *http.Request) bool {
		asked.Store(r.Header.Get("Authorization") == "Bearer from outside")
		return false
	})
	spec.Headers = map[string]string{"authorization": "Bearer ${GIVEN}"}
	s := housed(t, spec)
	require.Equal(t, `heard {"text":"a"}`, ask(t.Context(), find(t, s, "mcp__web__echo"), `{"text":"a"}`, nil).Text)
	require.True(t, asked.Load())
	require.Equal(t, "I have grown", ask(t.Context(), find(t, s, "mcp__web__grow"), `{}`, nil).Text)
	until(t, s, func(all []Status) bool { return all[0].Tools == 15 })

	ctx, cancel := context.WithCancel(t.Context())
	result := ask(ctx, find(t, s, "mcp__web__wait"), `{}`, func(activity string) {
		require.Equal(t, "half way", activity)
		cancel()
	})
	require.Contains(t, result.Text, "Canceled")
	require.Contains(t, ask(t.Context(), find(t, s, "mcp__web__echo"), `{}`, nil).Text, "heard")
}

func TestAnAddressThatDoesNotServeSaysWhy(t *testing.T) {
	for name, row := range map[string]struct {
		before func(http.ResponseWriter, *http.Request) bool
		why    string
	}{
		"it wants a login": {func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return true
		}, "HTTP 401"},
		"it is elsewhere": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "https://example.com/other", http.StatusTemporaryRedirect)
			return true
		}, "redirect"},
		"it is a web page": {func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, "<html>hello</html>")
			return true
		}, "content type"},
		"it is not there": {func(w http.ResponseWriter, r *http.Request) bool {
			http.NotFound(w, r)
			return true
		}, "Not Found"},
		"it says nothing": {func(_ http.ResponseWriter, r *http.Request) bool {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return true
		}, "did not answer within 1s"},
		"it never ends": {func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat(" ", 1<<20))
			}
			return true
		}, "16 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrAbortHandler }}
			if name == "it is elsewhere" {
				row.why = http.ErrAbortHandler.Error()
			}
			limit := patience
			if name == "it says nothing" {
				limit = time.Second
			}
			s := New(Options{HTTP: client, StartLimit: limit})
			defer s.Close()
			s.Start(loopback(t, row.before))
			down := until(t, s, func(all []Status) bool { return all[0].State == Down })
			require.Contains(t, down[0].Why, row.why)
			require.NotContains(t, down[0].Why, "\n")
		})
	}
}

// The stream of a server's own messages is optional, and a server may be slow to
// say that it has none.
func TestAServerThatOffersNoStreamIsNotWaitedFor(t *testing.T) {
	s := housed(t, loopback(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			<-r.Context().Done()
		}
		return r.Method == http.MethodGet
	}))
	require.Contains(t, ask(t.Context(), find(t, s, "mcp__web__echo"), `{}`, nil).Text, "heard")
	require.Equal(t, Ready, s.Status()[0].State)
}

func TestAServerThatHasForgottenTheSessionIsAskedInANewOne(t *testing.T) {
	var forgotten atomic.Bool
	s := housed(t, loopback(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && forgotten.CompareAndSwap(true, false) {
			http.NotFound(w, r)
			return true
		}
		return false
	}))
	echo := find(t, s, "mcp__web__echo")
	s.pause = 0
	forgotten.Store(true)
	require.True(t, ask(t.Context(), echo, `{}`, nil).IsError)
	require.Equal(t, "heard {}", ask(t.Context(), echo, `{}`, nil).Text)
}
