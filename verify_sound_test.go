package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/lifecycle"
)

// vouched holds a session that the whole program wrote against what "pawl verify" knows:
// it must cry wolf over none of them.
func vouched(t testing.TB, source export.Source, upto lifecycle.Seq) {
	t.Helper()
	verdict, err := export.Verify(t.Context(), source, upto)
	require.NoError(t, err)
	require.Empty(t, verdict.Faults)
}
