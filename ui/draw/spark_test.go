package draw

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASparkIsTenCellsWideWithTheNewestAtTheRight(t *testing.T) {
	for ascii, want := range map[bool]string{false: "       ▁▁█", true: "       _.#"} {
		c := Canvas{Glyphs: NewGlyphs(ascii)}
		require.Equal(t, Styled(want), c.Spark([]int{0, 1, 99}))
		require.Equal(t, SparkCells, Cells(c.Spark(make([]int, 30))))
		require.Empty(t, c.Spark(nil), "nothing is known of it")
		c.Glyphs = c.Glyphs.Steady(ascii)
		require.Empty(t, c.Spark([]int{0, 1, 99}), "reduced motion")
	}
}
