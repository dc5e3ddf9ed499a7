package verify

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/recording"
)

// Whatever a document says that can be read, there is a verdict on it, in bounded lines.
func FuzzVerify(f *testing.F) {
	f.Add(document(exporttest.Everything(f), 60))
	f.Add(document(exporttest.Plot(f), 30))
	f.Add(document(exporttest.NewStory(f), 0))
	f.Fuzz(func(t *testing.T, document []byte) {
		r, err := recording.Read(t.Context(), bytes.NewReader(document), "fuzz")
		if err != nil {
			return
		}
		defer r.Close()
		verdict, err := Session(t.Context(), r.Source(), r.Upto())
		require.NoError(t, err)
		require.LessOrEqual(t, len(verdict.Faults), mostFaults)
		for _, fault := range verdict.Faults {
			require.Contains(t, Promises(), fault.Promise)
			require.NotEmpty(t, fault.Message)
		}
	})
}
