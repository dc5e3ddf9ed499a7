package exporttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// Folded are the runs that records make, in the order of spawning.
func Folded(t *testing.T, records []lifecycle.Record) []lifecycle.Run {
	t.Helper()
	ledger := lifecycle.NewLedger(lifecycle.Snapshot{Root: Root})
	for _, rec := range records {
		require.NoError(t, ledger.Apply(rec))
	}
	return ledger.Snapshot().Runs
}
