package bench

import (
	"fmt"
	"strings"
)

// plot is what something costs as one number grows.
type plot struct {
	x      string // what grows
	curves []curve
}

// curve is one cost. Each curve has an axis of its own, from 0 to its greatest point: a
// cost that does not depend on what grows is a level line.
type curve struct {
	name   string // with its unit
	points [][2]float64
}

func (c *curve) add(x, y float64) { c.points = append(c.points, [2]float64{x, y}) }

const (
	plotWidth, plotHeight = 300.0, 120.0
	plotCell              = plotHeight + 70
	plotColumns           = 2
)

// drawPlots sets each curve into a field of its own, in light and in dark.
func drawPlots(plots []plot) string {
	var fields strings.Builder
	n := 0
	for _, p := range plots {
		for _, c := range p.curves {
			fmt.Fprintf(&fields, "<g transform=\"translate(%g %g)\">%s</g>\n",
				60+float64(n%plotColumns)*(plotWidth+90), 40+float64(n/plotColumns)*plotCell, c.draw(p.x))
			n++
		}
	}
	width, height := plotColumns*(plotWidth+90)+20, float64((n+1)/plotColumns)*plotCell+20
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11">
<style>svg{background:#fff;color:#222}text{fill:currentColor}@media(prefers-color-scheme:dark){svg{background:#161616;color:#ddd}}</style>
%s</svg>
`, width, height, fields.String())
}

func (c curve) draw(x string) string {
	last := c.points[len(c.points)-1]
	highest := 0.0
	for _, p := range c.points {
		highest = max(highest, p[1])
	}
	var line, dots strings.Builder
	for i, p := range c.points {
		atX, atY := p[0]/last[0]*plotWidth, plotHeight-p[1]/(highest*1.15)*plotHeight
		fmt.Fprintf(&line, "%.1f,%.1f ", atX, atY)
		fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="3" fill="#2a7de1"/>`, atX, atY)
		if i == 0 || i == len(c.points)-1 {
			fmt.Fprintf(&dots, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, atX, atY-8, short(p[1]))
		}
	}
	return fmt.Sprintf(`<text y="-14" font-weight="bold">%s</text><path d="M0 0V%g H%g" fill="none" stroke="currentColor"/>`+
		`<polyline points="%s" fill="none" stroke="#2a7de1" stroke-width="1.5"/>%s`+
		`<text y="%g">%s</text><text x="%[8]g" y="%[6]g" text-anchor="end">%[9]s</text><text x="%[10]g" y="%[6]g" text-anchor="middle">%[11]s</text>`,
		c.name, plotHeight, plotWidth, line.String(), dots.String(), plotHeight+16, short(c.points[0][0]), plotWidth, short(last[0]), plotWidth/2, x)
}
