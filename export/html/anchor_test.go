package html

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every place stands on a page once, in whatever order they come.
func TestEveryAnchorIsTakenOnce(t *testing.T) {
	a := newAnchors()
	for _, anchor := range []string{"run-1", "run-1-step-1", "run-1-step-2", "run-1-step-5", "run-1-step-3", "run-1-step-4", "call-0123456789ab", "call-short", "transcripts", "run-2-step-1"} {
		require.False(t, a.has(anchor), anchor)
		require.True(t, a.take(anchor), anchor)
		require.True(t, a.has(anchor), anchor)
	}
	for _, anchor := range []string{"run-1-step-5", "run-1-step-1", "call-0123456789ab", "call-short", "transcripts", "run-1"} {
		require.False(t, a.take(anchor), anchor)
	}
	require.False(t, a.has("run-1-step-6"))
}
