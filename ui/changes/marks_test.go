package changes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMarksBeginWithAllAndTellAFileFromItsHunks(t *testing.T) {
	var m Marks
	require.Equal(t, All, m.File("a"))
	m.TurnHunk("a", 1, 3)
	require.Equal(t, Some, m.File("a"))
	require.Equal(t, []int{1}, m.LeftOut("a", 3))
	require.Equal(t, All, m.File("b"))
	m.TurnFile("a")
	require.Equal(t, All, m.File("a"), "a file of which something is left out is chosen whole first")
	m.TurnFile("a")
	require.Equal(t, []int{0, 1, 2}, m.LeftOut("a", 3))
	m.TurnHunk("a", 2, 3)
	require.Equal(t, []int{0, 1}, m.LeftOut("a", 3))
}

// Whatever is turned, a hunk is chosen if it was turned an even number of times, and the file says the
// same as its hunks.
func TestTurningHunksOneByOneAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const hunks = 4
		var m Marks
		turned := [hunks]int{}
		for _, at := range rapid.SliceOf(rapid.IntRange(0, hunks-1)).Draw(t, "turned") {
			m.TurnHunk("a", at, hunks)
			turned[at]++
		}
		left := 0
		for at, n := range turned {
			require.Equal(t, n%2 == 0, m.Hunk("a", at))
			left += n % 2
		}
		want := Some
		switch left {
		case 0:
			want = All
		case hunks:
			want = None
		}
		require.Equal(t, want, m.File("a"))
	})
}
