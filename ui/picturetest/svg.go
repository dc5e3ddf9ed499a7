package picturetest

import (
	"fmt"
	"html"
	"strings"
)

// The measures of a cell, in pixels, of the usual monospaced fonts at 14.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 16
)

// Ground is a terminal's own two colours.
type Ground struct{ Text, Behind string }

// The grounds of pictures.
var (
	Dark  = Ground{"#d7dae0", "#16181d"}
	Light = Ground{"#24292f", "#ffffff"}
)

// SVG is the screen as a picture.
func (s Screen) SVG(on Ground) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`+"\n",
		float64(s.width)*cellWidth+2*margin, len(s.rows)*cellHeight+2*margin)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", on.Behind)
	for y, row := range s.rows {
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && (row[to].style == row[from].style || row[to].width == 0) {
				to++
			}
			on.draw(&b, row[from:to], from, y)
			from = to
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw draws cells that look alike.
func (g Ground) draw(b *strings.Builder, cells []cell, x, y int) {
	var text strings.Builder
	for _, c := range cells {
		text.WriteString(c.text)
	}
	look := cells[0].style
	front, behind := g.colors(look)
	left, top, width := margin+float64(x)*cellWidth, margin+y*cellHeight, float64(len(cells))*cellWidth
	if behind != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top, width, cellHeight, behind)
	}
	if strings.TrimSpace(text.String()) != "" {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="%s"%s xml:space="preserve" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
			left, top+13, front, look.attributes(), width, html.EscapeString(text.String()))
	}
}

// colors are what a style shows; behind is empty where it is the terminal's own.
func (g Ground) colors(s style) (front, behind string) {
	front = g.Text
	for _, word := range strings.Fields(string(s)) {
		if color, ok := strings.CutPrefix(word, "on:"); ok {
			behind = color
		} else if word[0] == '#' {
			front = word
		}
	}
	if s.has("reverse") {
		if behind == "" {
			behind = g.Behind
		}
		front, behind = behind, front
	}
	return front, behind
}

func (s style) attributes() string {
	var list string
	for _, attribute := range [][2]string{
		{"bold", ` font-weight="bold"`},
		{"italic", ` font-style="italic"`},
		{"faint", ` opacity="0.6"`},
		{"underlined", ` text-decoration="underline"`},
		{"struck", ` text-decoration="line-through"`},
	} {
		if s.has(attribute[0]) {
			list += attribute[1]
		}
	}
	return list
}
