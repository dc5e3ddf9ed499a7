package terminal

import (
	"context"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func TestOfManySizesTheNewestCountsAndTheirSenderDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		sizes, busy, taken := make(chan Size), make(chan struct{}), make(chan tea.Msg, 9)
		s := &Sizes{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.Follow(ctx, sizes, func(msg tea.Msg) {
				<-busy // as a program that is drawing
				taken <- s.Filter(msg)
			})
		}()
		require.Equal(t, tea.WindowSizeMsg{Width: 7, Height: 7}, s.Filter(tea.WindowSizeMsg{Width: 7, Height: 7}))
		for i := 1; i <= 100; i++ {
			sizes <- Size{Width: 5 * i, Height: i}
		}
		sizes <- Size{} // a terminal that does not know
		synctest.Wait()
		require.Empty(t, taken)
		close(busy)
		synctest.Wait()
		newest := tea.WindowSizeMsg{Width: 500, Height: 100}
		require.LessOrEqual(t, len(taken), 2)
		require.Equal(t, newest, <-taken)
		require.Equal(t, newest, s.Filter(tea.WindowSizeMsg{Width: 80, Height: 24}), "measured earlier, told later")
		cancel()
		<-done
	})
}

func TestAScreenIsNoLargerThanAnyDisplay(t *testing.T) {
	s := &Sizes{}
	require.Equal(t, tea.WindowSizeMsg{Width: widest, Height: tallest}, s.Filter(tea.WindowSizeMsg{Width: 65_535, Height: 65_535}))
	s.newest = Size{Width: 1 << 40, Height: 5}
	require.Equal(t, tea.WindowSizeMsg{Width: widest, Height: 5}, s.Filter(tea.WindowSizeMsg{Width: 80, Height: 24}))
}
