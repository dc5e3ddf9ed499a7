package process

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutputSinceALookIsWhatIsKeptOfIt(t *testing.T) {
	whole := Output{Head: "abc", Tail: "def", Total: 6}
	cut := Output{Head: "abc", Tail: "xyz", Total: 100}
	for want, got := range map[string]Output{
		"abcdef": whole.Since(0), "cdef": whole.Since(2), "ef": whole.Since(4), "": whole.Since(6),
	} {
		text, left := got.Text(1000)
		require.Equal(t, want, text)
		require.Zero(t, left)
	}
	text, left := cut.Since(50).Text(1000)
	require.Equal(t, int64(47), left)
	require.True(t, strings.HasSuffix(text, "xyz"), text)
	text, left = cut.Since(99).Text(1000)
	require.Equal(t, "z", text)
	require.Zero(t, left)
	require.Equal(t, "def", whole.End(10)[3:])
	require.Equal(t, "[… 98 of 100 bytes of output are left out here …]\nyz", cut.End(2))
}
