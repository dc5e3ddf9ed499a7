package wiretest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/soaktest"
)

// Cut ends the stream at every byte, cleanly, abruptly and by a stop; and over a real
// connection, in every way, at some of the bytes, with PAWL_SOAK at every one.
func (b Bench) Cut(t *testing.T) {
	t.Parallel()
	packed := pack(b.Stream)
	for name, end := range map[string]error{"politely": io.EOF, "rudely": io.ErrUnexpectedEOF} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := 0
			p := b.canned(func(*http.Request) io.Reader {
				return io.MultiReader(strings.NewReader(b.Stream[:at]), iotest.ErrReader(end))
			})
			b.cut(t, p, &at, len(b.Stream), 1)
		})
	}
	for name, way := range map[string]struct {
		body string
		step int
		cut  func(w http.ResponseWriter, body string, at int)
	}{
		"politely over a connection": {b.Stream, 7, func(w http.ResponseWriter, body string, at int) { _, _ = io.WriteString(w, body[:at]) }},
		"rudely over a connection": {b.Stream, 7, func(w http.ResponseWriter, body string, at int) {
			_, _ = io.WriteString(w, body[:at])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}},
		"short of its length": {b.Stream, 7, func(w http.ResponseWriter, body string, at int) {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = io.WriteString(w, body[:at])
		}},
		"compressed": {packed, 2, func(w http.ResponseWriter, body string, at int) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, body[:at])
		}},
		"compressed and garbled": {packed, 2, func(w http.ResponseWriter, body string, at int) {
			w.Header().Set("Content-Encoding", "gzip")
			if at < len(body) {
				body = body[:at] + string([]byte{body[at] ^ 1<<(at%8)}) + body[at+1:]
			}
			_, _ = io.WriteString(w, body)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b.cutConnection(t, way.body, way.step, way.cut)
		})
	}
	t.Run("by a stop", func(t *testing.T) {
		t.Parallel()
		b.stopAtEachByte(t)
	})
}

func (b Bench) cutConnection(t *testing.T, body string, step int, cut func(w http.ResponseWriter, body string, at int)) {
	at := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		cut(w, body, at)
	}))
	t.Cleanup(server.Close)
	if soaktest.Wanted() {
		step = 1
	}
	b.cut(t, b.New(server.URL, server.Client()), &at, len(body), step)
}

// cut asks for answers that end at a byte, from the last one down in steps.
func (b Bench) cut(t *testing.T, p agent.Provider, at *int, length, step int) {
	want, wholes, cuts := withoutCounts(b.recorded(t)), 0, 0
	for *at = length; *at >= 0; *at -= step {
		cuts++
		answer, err := b.ask(t.Context(), t, p)
		if err != nil {
			require.True(t, temporary(err), "cut at %d: %v", *at, err)
			continue
		}
		wholes++
		require.Equal(t, want, withoutCounts(answer), "cut at %d", *at)
	}
	soaktest.Tried(t, cuts, "streams cut or garbled at a byte")
	require.Positive(t, wholes, "the whole stream is an answer")
	require.Less(t, wholes, length/2)
}

// stopAtEachByte stalls at every byte until the request is stopped.
func (b Bench) stopAtEachByte(t *testing.T) {
	want := withoutCounts(b.recorded(t))
	for at := range len(b.Stream) {
		ctx, cancel := context.WithCancel(t.Context())
		p := b.canned(func(r *http.Request) io.Reader {
			return io.MultiReader(strings.NewReader(b.Stream[:at]), stalledBody{r.Context(), cancel})
		})
		answer, err := b.ask(ctx, t, p)
		if err == nil { // nothing was missing but line ends, and what was not waited for
			require.Equal(t, want, withoutCounts(answer), "stopped at %d", at)
		}
		cancel()
	}
	soaktest.Tried(t, len(b.Stream), "streams stopped at a byte")
}

// stalledBody signals that it was reached, then sends nothing until its request ends.
type stalledBody struct {
	ctx     context.Context
	reached func()
}

func (s stalledBody) Read([]byte) (int, error) {
	s.reached()
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// pack compresses piece by piece, as streaming servers do.
func pack(body string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, event := range strings.SplitAfter(body, "\n\n") {
		_, _ = io.WriteString(z, event) // a buffer takes all
		_ = z.Flush()
	}
	_ = z.Close()
	return out.String()
}
