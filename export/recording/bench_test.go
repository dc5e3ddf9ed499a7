package recording

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/exporttest"
	"pawl/export/jsondoc"
	"pawl/lifecycle"
)

// longFile is a document of so many records.
func longFile(t testing.TB, records lifecycle.Seq) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.json")
	require.NoError(t, export.ToFile(t.Context(), path, false, func(to io.Writer) error {
		return jsondoc.Write(t.Context(), to, exporttest.Long(records), exporttest.Root, records)
	}))
	return path
}

// BenchmarkRecording is a document of a million records, opened and written again.
func BenchmarkRecording(b *testing.B) {
	const records = 1_000_000
	path := longFile(b, records)
	info, err := os.Stat(path)
	require.NoError(b, err)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			before := exporttest.Heap()
			r, err := Open(context.WithoutCancel(b.Context()), path)
			require.NoError(b, err)
			b.ReportMetric(float64(exporttest.Heap()-before)/(1<<20), "MB-held")
			require.NoError(b, r.Close())
		}
		b.ReportMetric(float64(info.Size())/(1<<20), "MB-read")
		b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	b.Run("json", func(b *testing.B) {
		r, err := Open(b.Context(), path)
		require.NoError(b, err)
		defer r.Close()
		for b.Loop() {
			require.NoError(b, jsondoc.Write(b.Context(), io.Discard, r.Source(), exporttest.Root, r.Upto()))
		}
		b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
}
