package draw

// Body is drawn lines of which a screen may show a part, and how far one has scrolled
// through them. The zero Body is at its beginning.
type Body struct {
	lines       []Styled
	top, height int
}

// Fill gives a body its lines, and the height that there is for them.
func (b *Body) Fill(lines []Styled, height int) {
	b.lines, b.height = lines, height
	b.Scroll(0)
}

// Seen are the lines that are scrolled to.
func (b *Body) Seen() []Styled { return b.lines[b.top:min(len(b.lines), b.top+b.height)] }

// Below is how many lines follow those that are seen.
func (b *Body) Below() int { return max(0, len(b.lines)-b.top-b.height) }

// Height is for how many lines there was room.
func (b *Body) Height() int { return b.height }

// Scroll moves by some lines, down where by is positive, and to the ends at most.
func (b *Body) Scroll(by int) { b.top = max(0, min(b.top+by, len(b.lines)-b.height)) }

// Show scrolls as little as it takes to have lines in sight, the first of them in any case.
func (b *Body) Show(first, last int) {
	b.top = min(max(b.top, last-b.height), first)
	b.Scroll(0)
}
