package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesAreJoinedAsPeopleDo(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		require.Equal(t, want, List(names))
	}
	require.Equal(t, "a · b", Join(" · ", "", "a", "", "b", ""))
	require.Empty(t, Join(" · ", "", ""))
	require.Equal(t, "a, b or c", Alternatives([]string{"a", "b", "c"}))
}
