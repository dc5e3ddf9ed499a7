package ui

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
	"pawl/ui/terminal"
)

// Below 40×10 not everything can be shown, and what is shown stays inside: each
// view, with and without colour and UTF-8, down to a single cell.
func TestEveryViewStaysInsideTheSmallestTerminals(t *testing.T) {
	for i, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			for _, ascii := range []bool{false, true} {
				s := newScreen(t, 39, 9, func(_ *Options, term *terminal.Features) { term.ASCII, term.Colour = ascii, !ascii })
				scene.play(s)
				turn := i
				for _, width := range []int{1, 2, 3, 5, 8, 13, 21, 39, 200} {
					for _, height := range []int{1, 2, 3, 4, 6, 9, 50} {
						turn++
						if turn%2 != 0 && !soaktest.Wanted() { // the next scene in the other half
							continue
						}
						s.width, s.height = width, height
						s.picture.ready = false
						view := s.View()
						require.False(t, s.crash.Happened(), "%dx%d", width, height)
						narrow(t, view.Content, width, height)
						if c := view.Cursor; c != nil {
							require.True(t, c.X >= 0 && c.X < width && c.Y >= 0 && c.Y < height, "the cursor is at %d,%d of %s", c.X, c.Y, fmt.Sprintf("%dx%d", width, height))
						}
					}
				}
			}
		})
	}
}
