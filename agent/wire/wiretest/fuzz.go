package wiretest

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// Fuzz checks a provider's promise on any bytes: no panic, an answer with a stop reason or
// an error with nothing, and the same however the bytes are split.
func (b Bench) Fuzz(f *testing.F, recordings ...string) {
	f.Add([]byte(b.Stream))
	for _, recording := range append(recordings, b.SameIDs, b.InvalidArguments, b.Fault) {
		f.Add([]byte(recording))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		answer, err := b.ask(t.Context(), t, b.playing(string(stream)))
		slowly, slowErr := b.ask(t.Context(), t, b.canned(func(*http.Request) io.Reader {
			return iotest.OneByteReader(bytes.NewReader(stream))
		}))
		require.Equal(t, err == nil, slowErr == nil)
		require.Equal(t, withoutCounts(answer), withoutCounts(slowly))
	})
}
