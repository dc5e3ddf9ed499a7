package scroll

import "pawl/ui/draw"

// Blocks are what is scrolled through, one below another.
type Blocks interface {
	// Len is how many there are.
	Len() int
	// Draw gives the lines of a block, and how many stand between it and the one above.
	Draw(i int) (gap int, lines []draw.Styled)
	// Dress gives the same lines as they are seen now, with marks that take no room, and
	// those of the gap; nil for blank ones.
	Dress(i, gap int, lines []draw.Styled) (above, dressed []draw.Styled)
}

// Row is what stands on one row: a line of a block, -1 in the gap above it, and how many
// lines the block has.
type Row struct{ Block, Line, Of int }

// Position is where a view stands in its blocks: at their end, following it, or held with
// one line at the top. The zero Position follows the end.
type Position struct {
	Held        bool
	Block, Line int // the line at the top, while held; Line counts the gap above a block

	known int // how many blocks there were when the hold began
	grown int // and how many lines the last of them had
}

// Prepended follows blocks that have come before all others, to those that it held to.
func (p *Position) Prepended(n int) { p.known += n }

// Window is the lines that fit a height, and what each of them is. It does not scroll on
// past the block keep by itself; -1 for none.
func (p *Position) Window(b Blocks, height, keep int) ([]draw.Styled, []Row) {
	if height <= 0 {
		return nil, nil
	}
	if p.Held {
		if lines, rows := p.below(b, height); len(lines) == height {
			return lines, rows
		}
		p.Held = false // the end is in sight: follow it
	}
	top := fromEnd(b, height)
	if keep >= 0 && keep < top.Block {
		gap, lines := b.Draw(keep)
		p.remember(b)
		p.Held, p.Block, p.Line = true, keep, gap+len(lines)-1
		return p.below(b, height)
	}
	return top.below(b, height)
}

// below draws down from the top line.
func (p *Position) below(b Blocks, height int) ([]draw.Styled, []Row) {
	lines, rows := make([]draw.Styled, 0, height), make([]Row, 0, height)
	skip := p.Line
	for i := p.Block; i < b.Len() && len(lines) < height; i++ {
		gap, drawn := b.Draw(i)
		if skip >= gap+len(drawn) {
			skip -= gap + len(drawn)
			continue
		}
		above, drawn := b.Dress(i, gap, drawn)
		for n := skip; n < gap+len(drawn) && len(lines) < height; n++ {
			var line draw.Styled
			switch {
			case n >= gap:
				line = drawn[n-gap]
			case above != nil:
				line = above[n]
			}
			lines, rows = append(lines, line), append(rows, Row{i, max(-1, n-gap), len(drawn)})
		}
		skip = 0
	}
	return lines, rows
}

// fromEnd finds the top line of the last screen.
func fromEnd(b Blocks, height int) Position {
	need := height
	for i := b.Len() - 1; i >= 0; i-- {
		gap, drawn := b.Draw(i)
		if n := gap + len(drawn); n < need {
			need -= n
		} else {
			return Position{Block: i, Line: n - need}
		}
	}
	return Position{}
}

// Top is the line that stands at the top now.
func (p *Position) Top(b Blocks, height int) (block, line int) {
	if !p.Held {
		end := fromEnd(b, height)
		return end.Block, end.Line
	}
	return p.Block, p.Line
}

// Move scrolls by some lines, down where by is positive.
func (p *Position) Move(b Blocks, height, by int) {
	block, line := p.Top(b, height)
	if !p.Held {
		p.remember(b)
	}
	for ; by < 0; by++ {
		if line > 0 {
			line--
			continue
		}
		if block == 0 {
			break
		}
		block--
		gap, drawn := b.Draw(block)
		line = max(0, gap+len(drawn)-1)
	}
	for ; by > 0 && block < b.Len(); by-- {
		gap, drawn := b.Draw(block)
		if line++; line >= gap+len(drawn) {
			block, line = block+1, 0
		}
	}
	end := fromEnd(b, height)
	p.Held = block < end.Block || block == end.Block && line < end.Line
	p.Block, p.Line = block, line
}

// Jump holds a line of a block some rows below the top.
func (p *Position) Jump(b Blocks, height, block, line, down int) {
	if !p.Held {
		p.remember(b)
	}
	p.Held, p.Block, p.Line = true, block, line
	p.Move(b, height, -down)
}

// remember notes where the blocks ended when the hold began.
func (p *Position) remember(b Blocks) {
	p.known, p.grown = b.Len(), 0
	if p.known > 0 {
		_, lines := b.Draw(p.known - 1)
		p.grown = len(lines)
	}
}

// News is how many lines have come since the hold began, as far as it is worth
// counting: MostNews.
func (p *Position) News(b Blocks) int {
	if !p.Held || p.known == 0 || p.known > b.Len() {
		return 0
	}
	_, lines := b.Draw(p.known - 1)
	n := len(lines) - p.grown
	for i := p.known; i < b.Len() && n < MostNews; i++ {
		gap, lines := b.Draw(i)
		n += gap + len(lines)
	}
	return max(0, min(n, MostNews))
}

// MostNews is where counting new lines ends: who is that far behind wants to
// know nothing but the way.
const MostNews = 999
