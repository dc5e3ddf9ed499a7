package scroll

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/ui/draw"
)

// column is blocks of so many lines, with a blank one above each but the first.
type column []int

func (c column) Len() int { return len(c) }

func (c column) Draw(i int) (gap int, lines []draw.Styled) {
	for n := range c[i] {
		lines = append(lines, draw.Styled(fmt.Sprintf("%d.%d", i, n)))
	}
	return min(i, 1), lines
}

func (c column) Dress(_, _ int, lines []draw.Styled) (above, dressed []draw.Styled) {
	return nil, lines
}

// all is every line of it.
func (c column) all() []draw.Styled {
	var all []draw.Styled
	for i := range c {
		gap, lines := c.Draw(i)
		all = append(append(all, make([]draw.Styled, gap)...), lines...)
	}
	return all
}

// at is where a position stands in all lines.
func (c column) at(p *Position, height int) int {
	block, line := p.Top(c, height)
	return len(c[:block].all()) + line
}

func TestAWindowIsAPieceOfAllLinesAndMovesByWholeOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := column(rapid.SliceOfN(rapid.IntRange(1, 9), 1, 12).Draw(t, "blocks"))
		height := rapid.IntRange(1, 20).Draw(t, "height")
		var p Position
		for _, by := range rapid.SliceOfN(rapid.IntRange(-15, 15), 0, 8).Draw(t, "moves") {
			all, before := c.all(), c.at(&p, height)
			p.Move(c, height, by)
			end := max(0, len(all)-height)
			require.Equal(t, min(max(0, before+by), end), c.at(&p, height))
			require.Equal(t, c.at(&p, height) < end, p.Held, "at the end it follows")
			lines, rows := p.Window(c, height, -1)
			at := c.at(&p, height)
			require.Equal(t, all[at:min(len(all), at+height)], lines)
			require.Len(t, rows, len(lines))
		}
	})
}

func TestWhatIsHeldStaysWhereItIsWhileLinesCome(t *testing.T) {
	c := column{3, 4, 5}
	var p Position
	p.Move(c, 5, -4)
	before, _ := p.Window(c, 5, -1)
	c = append(c, 6)
	after, rows := p.Window(c, 5, -1)
	require.Equal(t, before, after)
	require.Equal(t, Row{Block: 1, Line: 1, Of: 4}, rows[0])
	require.Equal(t, 7, p.News(c), "six lines and the gap above them")
	p.Jump(c, 5, 0, 0, 0)
	lines, _ := p.Window(c, 5, -1)
	require.Equal(t, draw.Styled("0.0"), lines[0])
}

func TestAViewThatFollowsDoesNotLeaveWhoReads(t *testing.T) {
	c := column{3, 4, 50}
	var p Position
	lines, _ := p.Window(c, 5, 1)
	require.Equal(t, draw.Styled("1.3"), lines[0], "its last line stands at the top")
	require.True(t, p.Held)
}
