package soaktest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheGateTriesAFewTheSoakManyOrAsManyAsItSays(t *testing.T) {
	for set, want := range map[string]int{"": 5, "0": 5, "1": 1000, "2": 2, "30000": 30_000} {
		t.Setenv("PAWL_SOAK", set)
		require.Equal(t, want, Count(t, 5, 1000), set)
		require.Equal(t, want != 5, Wanted(), set)
	}
}

func TestSeedsFollowOneAnotherFromTheFirstOrAreTheOneThatIsNamed(t *testing.T) {
	t.Setenv("PAWL_SOAK", "3")
	t.Setenv("PAWL_SOAK_FIRST", "40")
	require.Equal(t, []uint64{40, 41, 42}, Seeds(t, 1, 9))
	t.Setenv("PAWL_SEED", "7")
	require.Equal(t, []uint64{7}, Seeds(t, 1, 9))
	require.Equal(t, "./internal/soaktest", here())
}
