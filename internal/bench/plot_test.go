package bench

import (
	"fmt"
	"strings"
)

// plot is what something costs as one number grows.
type plot struct {
	X       string // what grows
	Curves  []curve
	Missing string `json:",omitempty"` // why there are none
}

// curve is one cost. Each curve has an axis of its own, from 0 to its greatest point: a
// cost that does not depend on what grows is a level line.
type curve struct {
	Name   string // with its unit
	Points [][2]float64
}

// sample is what a plot's curves have at one number.
func (p *plot) sample(x float64, figures ...float64) {
	for i, figure := range figures {
		p.Curves[i].add(x, figure)
	}
}

// plotOf is a plot of these curves, without points yet.
func plotOf(x string, names ...string) plot {
	p := plot{X: x}
	for _, name := range names {
		p.Curves = append(p.Curves, curve{Name: name})
	}
	return p
}

// shape says how the curve grows, by the straight line that lies closest to it: not, where that rises by less
// than a quarter of the mean from end to end, or how much for each 1,000 of what grows.
func (c curve) shape() string {
	var x, y, xx, xy float64
	n := float64(len(c.Points))
	for _, p := range c.Points {
		x, y, xx, xy = x+p[0], y+p[1], xx+p[0]*p[0], xy+p[0]*p[1]
	}
	slope := (n*xy - x*y) / max(n*xx-x*x, 1e-9)
	if slope*(c.Points[len(c.Points)-1][0]-c.Points[0][0]) <= 0.25*y/n {
		return "flat"
	}
	return "by the line: " + short(slope*1000) + " for each 1,000"
}

// tableOf is the plots as rows for PERFORMANCE.md.
func tableOf(plots []plot) string {
	var rows strings.Builder
	fmt.Fprintln(&rows, "| what grows | to | what it costs | at first | at the end | grows |\n|---|---|---|---|---|---|")
	for _, p := range plots {
		if p.Missing != "" {
			fmt.Fprintf(&rows, "| %s | **not run**: %s | | | | |\n", p.X, p.Missing)
			continue
		}
		for _, c := range p.Curves {
			last := c.Points[len(c.Points)-1]
			fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s |\n", p.X, short(last[0]), c.Name, short(c.Points[0][1]), short(last[1]), c.shape())
		}
	}
	return rows.String()
}

func (c *curve) add(x, y float64) { c.Points = append(c.Points, [2]float64{x, y}) }

const (
	plotWidth, plotHeight = 215.0, 80.0
	plotCellX, plotCellY  = plotWidth + 55, plotHeight + 62
	plotColumns           = 4
)

// drawPlots gives each plot a row, or several, under the name of what grows, with a field for each curve, in
// light and in dark.
func drawPlots(plots []plot) string {
	var fields strings.Builder
	y := 30.0
	for _, p := range plots {
		fmt.Fprintf(&fields, "<text x=\"20\" y=\"%g\" font-size=\"14\" font-weight=\"bold\">%s</text>\n", y, p.X)
		if p.Missing != "" {
			fmt.Fprintf(&fields, "<text x=\"20\" y=\"%g\">not run: %s</text>\n", y+20, p.Missing)
			y += 60
			continue
		}
		for i, c := range p.Curves {
			fmt.Fprintf(&fields, "<g transform=\"translate(%g %g)\">%s</g>\n",
				30+float64(i%plotColumns)*plotCellX, y+40+float64(i/plotColumns)*plotCellY, c.draw())
		}
		y += 25 + float64((len(p.Curves)+plotColumns-1)/plotColumns)*plotCellY
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11">
<style>svg{background:#fff;color:#222}text{fill:currentColor}@media(prefers-color-scheme:dark){svg{background:#161616;color:#ddd}}</style>
%s</svg>
`, plotColumns*plotCellX+20, y, fields.String())
}

func (c curve) draw() string {
	last := c.Points[len(c.Points)-1]
	highest := 0.0
	for _, p := range c.Points {
		highest = max(highest, p[1])
	}
	var line, dots strings.Builder
	for i, p := range c.Points {
		atX, atY := p[0]/last[0]*plotWidth, plotHeight-p[1]/max(highest*1.15, 1e-9)*plotHeight
		fmt.Fprintf(&line, "%.1f,%.1f ", atX, atY)
		fmt.Fprintf(&dots, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="#2a7de1"/>`, atX, atY)
		if i == 0 || i == len(c.Points)-1 {
			fmt.Fprintf(&dots, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, atX, atY-7, short(p[1]))
		}
	}
	return fmt.Sprintf(`<text y="-12">%s</text><path d="M0 0V%g H%g" fill="none" stroke="currentColor"/>`+
		`<polyline points="%s" fill="none" stroke="#2a7de1" stroke-width="1.5"/>%s`+
		`<text y="%g">%s</text><text x="%[8]g" y="%[6]g" text-anchor="end">%[9]s</text>`,
		c.Name, plotHeight, plotWidth, line.String(), dots.String(), plotHeight+15, short(c.Points[0][0]), plotWidth, short(last[0]))
}
