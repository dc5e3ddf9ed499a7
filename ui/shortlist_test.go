package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShortlistFindsEachWordAndPutsTheBestFirst(t *testing.T) {
	names := []string{"ui/theme.go", "store/theme_test.go", "lifecycle/run.go"}
	var s shortlist
	s.narrow("", names)
	require.Equal(t, []found{{index: 0}, {index: 1}, {index: 2}}, s.kept)
	s.narrow("theme go", names)
	require.Len(t, s.kept, 2)
	best, ok := s.chosen()
	require.True(t, ok)
	require.Equal(t, 0, best)
	s.step(-1)
	last, _ := s.chosen()
	require.Equal(t, 1, last)
	s.step(1)
	require.Equal(t, 0, s.at)
	s.narrow("go nothing", names)
	_, ok = s.chosen()
	require.False(t, ok)
	s.step(1) // of nothing
}

func TestShortlistShowsItsMark(t *testing.T) {
	var s shortlist
	s.narrow("", make([]string, 20))
	s.step(-1)
	first, last := s.window(5)
	require.Equal(t, []int{15, 20}, []int{first, last})
	s.step(1)
	first, last = s.window(5)
	require.Equal(t, []int{0, 5}, []int{first, last})
	first, last = s.window(50)
	require.Equal(t, []int{0, 20}, []int{first, last})
}
