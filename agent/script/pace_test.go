package script_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/script"
)

func TestParsePace(t *testing.T) {
	for text, want := range map[string]script.Pace{
		"1x": script.Default, "4x": script.Default / 4, "0.5x": script.Default * 2,
		"0": script.Immediate, "0s": script.Immediate, "20ms": script.Pace(20 * time.Millisecond),
	} {
		got, err := script.ParsePace(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "x", "fast", "0x", "-1x", "NaNx", "Infx", "1e-300x", "-5ms", "2h", "4"} {
		_, err := script.ParsePace(text)
		require.EqualError(t, err, `pace "`+text+`": must be a factor ("4x" is four times as fast), the time of one word ("20ms"), or 0 for no waiting`)
	}
}
