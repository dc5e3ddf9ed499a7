package picturetest

import (
	"fmt"
	"html"
	"math"
	"strconv"
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
	d := newDrawing(on)
	for y, row := range s.rows {
		d.body.WriteString(d.row(row, y))
	}
	return d.document(s)
}

// drawing is a picture that is being drawn: its style sheet and its lines.
type drawing struct {
	ground  Ground
	classes map[string]string // of attributes of text: the name of their class
	rules   strings.Builder
	body    strings.Builder
}

func newDrawing(on Ground) *drawing { return &drawing{ground: on, classes: map[string]string{}} }

func (d *drawing) rule(format string, values ...any) { fmt.Fprintf(&d.rules, format+"\n", values...) }

// document is the whole picture, of the size of a screen.
func (d *drawing) document(of Screen) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`,
		float64(of.width)*cellWidth+2*margin, len(of.rows)*cellHeight+2*margin) +
		"\n<style>\ntext{white-space:pre}\n" + d.rules.String() + "</style>\n" +
		fmt.Sprintf(`<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", d.ground.Behind) + d.body.String() + "</svg>\n"
}

// row draws a row of cells; empty if nothing of it is seen.
func (d *drawing) row(row []cell, y int) string {
	var b strings.Builder
	for from := 0; from < len(row); {
		to := from + 1
		for to < len(row) && (row[to].style == row[from].style || row[to].width == 0) {
			to++
		}
		d.alike(&b, row[from:to], from, y)
		from = to
	}
	return b.String()
}

// alike draws cells that look alike.
func (d *drawing) alike(b *strings.Builder, cells []cell, x, y int) {
	look := cells[0].style
	front, behind := d.ground.colors(look)
	if behind != "" {
		fmt.Fprintf(b, `<rect x="%s" y="%d" width="%s" height="%d" fill="%s"/>`+"\n", pixels(x, margin), margin+y*cellHeight, pixels(len(cells), 0), cellHeight, behind)
	}
	for _, part := range words(cells) {
		fmt.Fprintf(b, `<text class="%s" x="%s" y="%d" textLength="%s">%s</text>`+"\n",
			d.class(front, look), pixels(x+part.from, margin), margin+y*cellHeight+13, pixels(part.to-part.from, 0), html.EscapeString(part.text))
	}
}

// words are the parts of cells between wide gaps, so that blanks are not drawn.
func words(cells []cell) []stretch {
	const gap = 3
	var parts []stretch
	for x, c := range cells {
		last := len(parts) - 1
		switch {
		case last >= 0 && c.width == 0 && parts[last].to == x:
			parts[last].to++
		case c.blank():
		case last >= 0 && x-parts[last].to < gap:
			parts[last].text += strings.Repeat(" ", x-parts[last].to) + c.text
			parts[last].to = x + 1
		default:
			parts = append(parts, stretch{from: x, to: x + 1, text: c.text})
		}
	}
	return parts
}

// pixels is where a column begins, in as few digits as are exact.
func pixels(column, from int) string {
	return strconv.FormatFloat(math.Round(10*(float64(from)+float64(column)*cellWidth))/10, 'f', -1, 64)
}

// class is the class of text in a colour and a style.
func (d *drawing) class(front string, look style) string {
	attributes := "fill:" + front + look.attributes()
	name, known := d.classes[attributes]
	if !known {
		name = fmt.Sprintf("c%d", len(d.classes))
		d.classes[attributes] = name
		d.rule(".%s{%s}", name, attributes)
	}
	return name
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
		{"bold", ";font-weight:bold"},
		{"italic", ";font-style:italic"},
		{"faint", ";opacity:.6"},
		{"underlined", ";text-decoration:underline"},
		{"struck", ";text-decoration:line-through"},
	} {
		if s.has(attribute[0]) {
			list += attribute[1]
		}
	}
	return list
}
