package dashboard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
)

// Columns give way by rank: the narrower a table, the fewer it has, and it is never wider than
// it may be, nor than the eye can follow.
func TestColumnsGiveWayByRank(t *testing.T) {
	w := widths{name: 40, kind: 9, model: 14, cost: 7, files: 5, denied: 6, told: 8}
	before := 0
	for width := 30; width <= 250; width++ {
		name, activity, of := fitting(width, w)
		all, shown := 4+name+2+activity, 0
		for _, column := range of {
			if column > 0 {
				all += column + 2
				shown++
			}
		}
		require.LessOrEqual(t, all, min(width, draw.ContentWidth), "%d columns", width)
		require.GreaterOrEqual(t, name, 4)
		require.GreaterOrEqual(t, activity, 12)
		for i, rank := range ranks[1:] {
			if of[rank] > 0 && rank == 3 { // tokens never stand without the time
				require.Positive(t, of[ranks[i]])
			}
		}
		before = max(before, shown)
	}
	require.Equal(t, len(columns), before)
	_, _, of := fitting(250, widths{name: 9})
	require.Zero(t, of[0]+of[1]+of[4]+of[5]+of[6]+of[7], "what all rows leave empty has no column")
}

// A title that is longer than all that stands below it moves no column behind it.
func TestATitleHasRoomOverShortContents(t *testing.T) {
	for width := 60; width <= 200; width++ {
		table := tableOf(draw.Canvas{Width: width}, Source{}, widths{name: 3, kind: 3, model: 4, cost: 7, files: 5, denied: 6, told: 8})
		require.LessOrEqual(t, len(table.titles()), width, "%d columns", width)
	}
}
