package draw

import (
	"unicode/utf8"

	"pawl/agent/sanitize"
)

// SparkCells is the width of a spark.
const SparkCells = 10

// Sparks is how many heights a spark's cells have above nothing; 0 while no spark is drawn, as with
// reduced motion.
func (g Glyphs) Sparks() int { return max(0, len(g.spark)-1) }

// Spark draws heights as bars one cell wide, the newest at the right; empty where the user wants
// no motion.
func (c Canvas) Spark(levels []int) Styled {
	most := c.Glyphs.Sparks()
	if most == 0 || len(levels) == 0 {
		return ""
	}
	levels = levels[max(0, len(levels)-SparkCells):]
	var drawn Styled
	var room [SparkCells * utf8.UTFMax]byte // five sparks are drawn in each frame: no garbage for each cell
	bars := room[:0]
	for i, level := range levels {
		bars = append(bars, c.Glyphs.spark[min(level, most)]...)
		if i+1 < len(levels) && (levels[i+1] == 0) == (level == 0) {
			continue
		}
		look := c.Theme.Accent
		if level == 0 {
			look = c.Theme.Faint
		}
		drawn, bars = drawn+look.Draw(sanitize.Text(bars)), bars[:0]
	}
	return Pad("", SparkCells-len(levels)) + drawn
}
