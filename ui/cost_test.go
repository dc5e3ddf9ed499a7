package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// A run's own cost stands on its line, the sum of all below; what has no known
// price is no sum of nothing.
func TestWhatARunCostsStandsOnItsLineAndInTheSum(t *testing.T) {
	s := newScreen(t, 120, 24)
	s.ask("go")
	s.delegate("audit", true)
	spent := func(session lifecycle.SessionID, run lifecycle.RunID, cost float64) {
		s.log(session, run, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 1000, OutputTokens: 500, Cost: cost}})
	}
	spent("audit", "run audit", 0)
	require.Contains(t, s.text(), "1.5k")
	require.NotContains(t, s.text(), "$")
	spent("audit", "run audit", 0.42)
	spent(root, "r1", 0.1)
	require.Contains(t, s.text(), "3.0k tok · $0.42")
	require.Contains(t, s.text(), "$0.52")
}
