package wiretest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// pieceBytes bounds the memory that one piece of an answer may take on its way: the
// costliest of the providers takes 1,600 bytes, an SDK's own reading up to 15,000.
const pieceBytes = 3000

// Long plays answers of many pieces. What one costs in memory is bounded, and does not
// grow with what came before it.
func (b Bench) Long(t *testing.T) {
	events := strings.SplitAfter(b.Stream, "\n\n")
	at := b.firstPiece(t, events)
	few, many := b.pieceCost(t, events, at, 1000), b.pieceCost(t, events, at, 16000)
	t.Logf("bytes a piece: %.0f of 1,000, %.0f of 16,000", few, many)
	require.Less(t, many, 1.5*few)
	require.Less(t, many, float64(pieceBytes))
}

// firstPiece finds the first event that brings text.
func (b Bench) firstPiece(t *testing.T, events []string) int {
	for at := range events {
		if b.shown(t, events[:at+1], at, 1) > 0 {
			return at
		}
	}
	require.Fail(t, "no event brings text")
	return 0
}

// shown is how many bytes of text are handed on of a stream in which one event comes so
// many times. How it ends is no matter: some servers say the whole once more.
func (b Bench) shown(t *testing.T, events []string, at, times int) (bytes int) {
	stream := strings.Join(events[:at], "") + strings.Repeat(events[at], times) + strings.Join(events[at+1:], "")
	_, _ = b.playing(stream).Stream(t.Context(), b.Request, func(d agent.Delta) { bytes += len(d.Text) })
	return bytes
}

// pieceCost is what was allocated for each of so many pieces.
func (b Bench) pieceCost(t *testing.T, events []string, at, times int) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NotZero(t, b.shown(t, events, at, times))
	runtime.ReadMemStats(&after)
	stream := uint64(len(events[at]) * times) // which is the test's own
	return float64(after.TotalAlloc-before.TotalAlloc-stream) / float64(times)
}
