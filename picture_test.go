package main

import (
	"flag"
	"fmt"
	"html"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/stretchr/testify/require"
)

var picture = flag.String("picture", "", "write a picture of the demo's screen to this file")

// TestPicture draws the README's picture: the real binary on the demo, on a real
// checkout, while its subagents work. It runs only when it is asked to.
func TestPicture(t *testing.T) {
	if *picture == "" {
		t.Skip("no -picture FILE given")
	}
	home := t.TempDir()
	folder := filepath.Join(home, "calc")
	require.NoError(t, os.Rename(checkout(t), folder))
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PAWL_HOME=" + t.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
	x := startSized(t, 100, 30, folder, env, "demo")
	x.see("DEMO")
	x.type_("Look around here, and tell me what you find.", keyEnter)
	x.waitFor("three subagents at work", func(screen string) bool {
		return strings.Contains(screen, "TODO") && strings.Count(screen, "explore") >= 3 && strings.Contains(screen, "list")
	})
	require.NoError(t, os.MkdirAll(filepath.Dir(*picture), 0o755))
	require.NoError(t, os.WriteFile(*picture, []byte(x.svg()), 0o644))
	x.type_(keyCtrlC, keyCtrlC)
}

// The measures of a cell, in pixels, of the usual monospaced fonts at 14.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 16
)

// svg draws the screen as a picture.
func (x *terminal) svg() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	width, height := x.screens.Width(), x.screens.Height()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`+"\n",
		float64(width)*cellWidth+2*margin, height*cellHeight+2*margin)
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#16181d"/>` + "\n")
	for y := range height {
		for at := 0; at < width; {
			at = x.drawRun(&b, at, y, width)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// drawRun draws the cells from one on that look alike, and says where they end.
func (x *terminal) drawRun(b *strings.Builder, from, y, width int) int {
	first := x.screens.CellAt(from, y)
	if first == nil {
		return from + 1
	}
	text, end := "", from
	for end < width {
		cell := x.screens.CellAt(end, y)
		if cell == nil || !cell.Style.Equal(&first.Style) {
			break
		}
		if cell.Content == "" {
			text += " "
		} else {
			text += cell.Content
		}
		end += max(1, cell.Width)
	}
	fg, bg := colors(first.Style)
	left, top := margin+float64(from)*cellWidth, margin+y*cellHeight
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top, float64(end-from)*cellWidth, cellHeight, bg)
	}
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="%s"%s xml:space="preserve" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
			left, top+13, fg, weight(first.Style), float64(end-from)*cellWidth, html.EscapeString(text))
	}
	return max(end, from+1)
}

// colors are what a style shows, as CSS; the background is empty where it is the
// terminal's own.
func colors(s uv.Style) (fg, bg string) {
	fg = css(s.Fg, "#d7dae0")
	if s.Bg != nil {
		bg = css(s.Bg, "")
	}
	if s.Attrs&uv.AttrReverse != 0 {
		if bg == "" {
			bg = "#16181d"
		}
		fg, bg = bg, fg
	}
	return fg, bg
}

func css(c color.Color, fallback string) string {
	if c == nil {
		return fallback
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func weight(s uv.Style) string {
	var attributes string
	if s.Attrs&uv.AttrBold != 0 {
		attributes += ` font-weight="bold"`
	}
	if s.Attrs&uv.AttrItalic != 0 {
		attributes += ` font-style="italic"`
	}
	if s.Attrs&uv.AttrFaint != 0 {
		attributes += ` opacity="0.6"`
	}
	return attributes
}
