package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEndOfANameMayHaveAnEllipsisBeforeIt(t *testing.T) {
	for _, name := range []string{"…a3f2", "...a3f2", "a3f2"} {
		require.Equal(t, "a3f2", WithoutEllipsis(name))
	}
	require.Empty(t, WithoutEllipsis("…"))
}
