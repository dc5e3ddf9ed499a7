package tools

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/web"
)

// site serves pages by their paths, on loopback.
func site(t *testing.T, pages map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.HandleFunc(path, page)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func webPage(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}
}

// browse is a Web that may reach these places too.
func browse(t *testing.T, allowed ...string) *web.Client {
	t.Helper()
	client, err := web.New(allowed, "Pawl/test")
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func fetched(t *testing.T, client *web.Client, address string) agent.Result {
	t.Helper()
	return Fetch(client).Run(t.Context(), agent.Invocation{Input: []byte(fmt.Sprintf(`{"url": %q}`, address))})
}

func TestFetchGivesAPageAsMarkdown(t *testing.T) {
	at := site(t, map[string]http.HandlerFunc{"/doc": webPage("text/html; charset=utf-8", `<html><head><title>A guide</title>
		<script>steal()</script><style>p{}</style></head><body><h1>Start</h1><p>Read <a href="/more">more</a> &amp; try.</p>
		<pre><code>go test ./...</code></pre></body></html>`)})
	got := fetched(t, browse(t, "127.0.0.1"), at+"/doc#part")
	require.False(t, got.IsError, got.Text)
	require.Contains(t, got.Text, "["+at+"/doc, 200 OK]")
	require.Contains(t, got.Text, "# A guide")
	require.Contains(t, got.Text, "# Start")
	require.Contains(t, got.Text, "[more]("+at+"/more) & try.")
	require.Contains(t, got.Text, "go test ./...")
	require.NotContains(t, got.Text, "steal")
}

func TestFetchGivesEachKindOfAnswerItsForm(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 32)
	at := site(t, map[string]http.HandlerFunc{
		"/json":    webPage("application/json", `{"a": 1}`),
		"/latin":   webPage("text/plain; charset=iso-8859-1", "gr\xfc\xdfe"),
		"/unnamed": webPage("", "plain words"),
		"/picture": webPage("image/png", png),
		"/program": webPage("application/octet-stream", "\x7fELF\x02\x01\x01\x00\x00\x00"),
		"/nothing": webPage("text/plain", ""),
		"/packed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, "unpacked")
			_ = z.Close()
		},
		"/nested": webPage("text/html", strings.Repeat("<div>", 100_000)+"deep"),
		"/gone": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "no such page")
		},
		"/long": webPage("text/plain", strings.Repeat("x", web.MaxPage+1)),
	})
	client := browse(t, "127.0.0.1")
	for path, want := range map[string]string{
		"/json": `{"a": 1}`, "/latin": "grüße", "/unnamed": "plain words", "/nothing": "(no text)",
		"/packed": "unpacked", "/nested": "deep", "/long": "cut at 10.0 MB",
	} {
		got := fetched(t, client, at+path)
		require.False(t, got.IsError, path)
		require.Contains(t, got.Text, want, path)
	}
	require.Len(t, fetched(t, client, at+"/picture").Images, 1)
	gone := fetched(t, client, at+"/gone")
	require.True(t, gone.IsError)
	require.Contains(t, gone.Text, "404 Not Found")
	require.Contains(t, gone.Text, "no such page")
	binary := fetched(t, client, at+"/program")
	require.True(t, binary.IsError)
	require.Contains(t, binary.Text, "is binary")
}

func TestFetchStaysOutOfThisMachineAndItsNetwork(t *testing.T) {
	at := site(t, map[string]http.HandlerFunc{"/": func(http.ResponseWriter, *http.Request) { t.Error("it was reached") }})
	port := strings.TrimPrefix(at, "http://127.0.0.1")
	for _, address := range []string{
		at, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port,
		"http://2130706433" + port, "http://0x7f.1" + port, "http://0.0.0.0" + port, "http://169.254.169.254/latest",
	} {
		got := fetched(t, browse(t), address)
		require.True(t, got.IsError, address)
		require.NotContains(t, got.Text, "200 OK", address)
	}
	require.Contains(t, fetched(t, browse(t), at).Text, "127.0.0.1 is not on the open internet")
	require.Contains(t, fetched(t, browse(t), at).Text, "fetch.allow")
}

func TestARedirectToAnotherHostIsNotFollowed(t *testing.T) {
	elsewhere := site(t, map[string]http.HandlerFunc{"/": func(http.ResponseWriter, *http.Request) { t.Error("it was followed") }})
	at := site(t, map[string]http.HandlerFunc{
		"/out": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+"/secret", http.StatusFound)
		},
		"/in":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/here", http.StatusFound) },
		"/here": webPage("text/plain", "arrived"),
		"/loop": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) },
	})
	client := browse(t, "127.0.0.1")
	require.Contains(t, fetched(t, client, at+"/out").Text, "redirects to another host (302 Found): fetch "+elsewhere+"/secret")
	require.Contains(t, fetched(t, client, at+"/in").Text, "arrived")
	require.Contains(t, fetched(t, client, at+"/loop").Text, "redirects more than 5 times")
}

func TestFetchEndsWithItsRun(t *testing.T) {
	arrived := make(chan struct{})
	at := site(t, map[string]http.HandlerFunc{"/": func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan agent.Result)
	go func() {
		ended <- Fetch(browse(t, "127.0.0.1")).Run(ctx, agent.Invocation{Input: []byte(fmt.Sprintf(`{"url": %q}`, at))})
	}()
	<-arrived
	cancel()
	require.True(t, (<-ended).IsError)
}

func TestAnAddressThatIsNoneNamesWhatIsWrong(t *testing.T) {
	for address, want := range map[string]string{
		"file:///etc/passwd": "must begin with https://", "go.dev": "must begin with https://", "http://": "must begin with https://",
		"https://me:secret@go.dev": "contains a user name", "http://a b": "is not a full address",
	} {
		_, err := Fetch(browse(t)).Effect(t.Context(), agent.Invocation{Input: []byte(fmt.Sprintf(`{"url": %q}`, address))})
		require.ErrorContains(t, err, want, address)
		require.NotContains(t, err.Error(), "secret")
	}
	effect, err := Fetch(browse(t)).Effect(t.Context(), agent.Invocation{Input: []byte(`{"url": "https://GO.dev/doc#x"}`)})
	require.NoError(t, err)
	require.Equal(t, agent.EffectFetch, effect.Kind)
	require.Equal(t, "https://go.dev/doc", effect.Subject)
}

func TestNobodyIsAskedAboutAnAddressThatCanOnlyBeInside(t *testing.T) {
	asks := func(client *web.Client, address string) error {
		_, err := Fetch(client).Effect(t.Context(), agent.Invocation{Input: []byte(fmt.Sprintf(`{"url": %q}`, address))})
		return err
	}
	for _, inside := range []string{"http://127.0.0.1:8080/", "http://[::1]/", "http://LOCALHOST/", "http://a.localhost/", "http://10.0.0.1/"} {
		require.ErrorContains(t, asks(browse(t), inside), "fetch.allow", inside)
	}
	require.NoError(t, asks(browse(t, "localhost", "10.0.0.0/8"), "http://localhost/"))
	require.NoError(t, asks(browse(t, "localhost", "10.0.0.0/8"), "http://10.0.0.1/"))
	require.NoError(t, asks(browse(t), "https://go.dev/"))
}
