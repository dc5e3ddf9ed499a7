package draw

// Body is drawn lines that may not all fit, and how far they are scrolled. The zero Body is at its
// beginning.
type Body struct {
	lines       []Styled
	top, height int
}

// Fill sets the lines and the height available for them. It keeps the scroll position, as far as
// the lines reach.
func (b *Body) Fill(lines []Styled, height int) {
	b.lines, b.height = lines, height
	b.Scroll(0)
}

// Seen are the visible lines.
func (b *Body) Seen() []Styled { return b.lines[b.top:min(len(b.lines), b.top+b.height)] }

// Below is the number of lines below the visible ones.
func (b *Body) Below() int { return max(0, len(b.lines)-b.top-b.height) }

// Height is the height of the last Fill.
func (b *Body) Height() int { return b.height }

// Scroll moves by some lines, down if by is positive, and stops at the ends.
func (b *Body) Scroll(by int) { b.top = max(0, min(b.top+by, len(b.lines)-b.height)) }

// Show scrolls as little as possible to make the lines from first up to last visible; if they do
// not fit, first is at the top.
func (b *Body) Show(first, last int) {
	b.top = min(max(b.top, last-b.height), first)
	b.Scroll(0)
}
