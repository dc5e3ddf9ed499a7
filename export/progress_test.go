package export

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/formats"
)

func TestTheProgressOfAnExportGrowsToItsEnd(t *testing.T) {
	const upto = 1500
	for _, format := range formats.All() {
		for _, as := range []formats.Options{
			{Format: format}, {Format: format, Brief: true}, {Format: format, NoContent: true}, {Format: format, Brief: true, NoContent: true},
		} {
			if as.Check() != nil {
				continue
			}
			var all []float64
			src := Reporting(exporttest.Long(upto), as, upto, func(done, total int64) { all = append(all, float64(done)/float64(total)) })
			require.NoError(t, Write(t.Context(), io.Discard, as, src, src.Session.ID, upto))
			require.InDelta(t, 1, all[len(all)-1], 0, "%v", as)
			require.Less(t, all[len(all)-2], 1.0, "%v: and is there not sooner", as)
			require.IsNonDecreasing(t, all)
		}
	}
}
