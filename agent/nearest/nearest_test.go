package nearest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWasMeantIsFewestEditsAway(t *testing.T) {
	names := []string{"show", "sessions", "export", "rm"}
	require.Equal(t, "sessions", To("sesions", names))
	require.Equal(t, "rm", To("rn", names))
	require.Equal(t, "aa", To("x", []string{"bb", "aa"}), "of equals the first by the alphabet")
	require.Empty(t, To("x", nil))
	require.Equal(t, []string{"show", "sessions", "export", "rm"}, names, "the list stays as it is")
}
