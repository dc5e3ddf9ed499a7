package export

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inMemory is a document that stands in no file.
func inMemory(ctx context.Context, document []byte) (*Recording, error) {
	return readRecording(ctx, &Recording{
		name: "it", file: bytes.NewReader(document), size: int64(len(document)), close: func() error { return nil }, longest: 1 << 20,
	})
}

// Whatever the bytes: an error of one line, or a session. What is exported of that is a
// document again, which says the same as it did.
func FuzzImport(f *testing.F) {
	golden, err := os.ReadFile("testdata/session.json.golden")
	require.NoError(f, err)
	f.Add(golden)
	f.Add(plot(f).export(FormatJSON, 20))
	f.Add(newStory(f).export(FormatJSON, 0))
	f.Fuzz(func(t *testing.T, document []byte) {
		r, err := inMemory(t.Context(), document)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "read it: "), err.Error())
			require.NotContains(t, err.Error(), "\n")
			return
		}
		source := r.Source()
		for session := range r.talks {
			_, err := r.Tail(t.Context(), session, 0, 3)
			require.NoError(t, err)
		}
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := Write(t.Context(), &out, Manner{Format: format}, source, source.Session.ID, r.Upto()); err != nil {
				return // its records are no life that a run can have
			}
			if format != FormatJSON {
				continue
			}
			same, err := inMemory(t.Context(), out.Bytes())
			require.NoError(t, err)
			require.Equal(t, out.String(), string(again(t, same, FormatJSON)))
		}
	})
}
