package exporttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func Folded(t *testing.T, records []lifecycle.Record) []lifecycle.Run {
	t.Helper()
	var runs []lifecycle.Run
	place := map[lifecycle.RunID]int{}
	for _, rec := range records {
		i, known := place[rec.Run]
		if !known {
			i = len(runs)
			place[rec.Run] = i
			runs = append(runs, lifecycle.Run{})
		}
		next, err := runs[i].Apply(rec)
		require.NoError(t, err)
		runs[i] = next
	}
	return runs
}
