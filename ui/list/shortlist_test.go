package list

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShortlistFindsEachWordAndPutsTheBestFirst(t *testing.T) {
	names := []string{"ui/theme.go", "store/theme_test.go", "lifecycle/run.go"}
	var s Shortlist
	s.Narrow("", names)
	require.Equal(t, []Found{{Index: 0}, {Index: 1}, {Index: 2}}, s.Kept)
	s.Narrow("theme go", names)
	require.Len(t, s.Kept, 2)
	best, ok := s.Chosen()
	require.True(t, ok)
	require.Equal(t, 0, best)
	s.Step(-1)
	last, _ := s.Chosen()
	require.Equal(t, 1, last)
	s.Step(1)
	require.Equal(t, 0, s.At)
	s.Narrow("go nothing", names)
	_, ok = s.Chosen()
	require.False(t, ok)
	s.Step(1) // of nothing
}

func TestShortlistShowsItsMark(t *testing.T) {
	var s Shortlist
	s.Narrow("", make([]string, 20))
	s.Step(-1)
	first, last := s.Window(5)
	require.Equal(t, []int{15, 20}, []int{first, last})
	s.Step(1)
	first, last = s.Window(5)
	require.Equal(t, []int{0, 5}, []int{first, last})
	first, last = s.Window(50)
	require.Equal(t, []int{0, 20}, []int{first, last})
}
