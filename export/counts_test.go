package export

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/internal/counttest"
	"pawl/lifecycle"
)

// mostOfARecord is what one record more costs an export in allocations, those of the
// source that makes it apart: see counttest.
var mostOfARecord = map[formats.Format]float64{
	formats.Markdown: 27, // 21.9
	formats.HTML:     63, // 50.2: its picture marks the first thousand one by one, after that 34
	formats.JSON:     17, // 13.5
	formats.Trace:    37, // 29.4
	formats.Patch:    2,  // where the source does not tell changes from the rest
}

// readThrough is all records of a source, and nothing made of them.
func readThrough(t testing.TB, src book.Source, records lifecycle.Seq) {
	for after := lifecycle.Seq(0); after < records; {
		page, err := src.Records(t.Context(), exporttest.Root, after, 1000)
		require.NoError(t, err)
		after += lifecycle.Seq(len(page))
	}
}

// oneRecordMore is the cost of one among 700, without what is there with 500.
func oneRecordMore(cost func(records lifecycle.Seq)) float64 {
	counted := func(records lifecycle.Seq) float64 { return testing.AllocsPerRun(1, func() { cost(records) }) }
	return (counted(700) - counted(500)) / 200
}

func TestCostOfARecordInAnExport(t *testing.T) {
	made := oneRecordMore(func(records lifecycle.Seq) { readThrough(t, exporttest.Long(records), records) })
	for _, format := range formats.All() {
		counted := oneRecordMore(func(records lifecycle.Seq) {
			require.NoError(t, Write(t.Context(), io.Discard, formats.Options{Format: format}, exporttest.Long(records), exporttest.Root, records))
		})
		bound, stated := mostOfARecord[format]
		require.True(t, stated, "a new format states what a record costs it")
		counttest.AtMost(t, "allocations of a record in "+string(format), bound, counted-made)
	}
}

// BenchmarkRecord is 1,000 records of a working session, written down.
func BenchmarkRecord(b *testing.B) {
	const records = 1000
	for _, format := range formats.All() {
		b.Run(string(format), func(b *testing.B) {
			src := exporttest.Long(records)
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, Write(b.Context(), io.Discard, formats.Options{Format: format}, src, exporttest.Root, records))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
		})
	}
}
