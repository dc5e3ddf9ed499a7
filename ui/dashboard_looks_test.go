package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
	"pawl/ui/picturetest"
)

// The dashboard stands in every size and in six looks: its text in a file a size that
// TestScreen has not, its colours and weights in a file a look.
func TestTheDashboardInEverySizeAndLook(t *testing.T) {
	sixteen := draw.ShadesOf(colorprofile.ANSI)
	looks := []struct {
		name   string
		attire themeInputs
	}{
		{"plain", themeInputs{shades: draw.Plain}},
		{"dark", themeInputs{shades: draw.Many}},
		{"light", themeInputs{shades: draw.Many, light: true}},
		{"contrast", themeInputs{theme: "contrast", shades: draw.Many}},
		{"sixteen", themeInputs{shades: sixteen}},
		{"sixteen light", themeInputs{shades: sixteen, light: true}},
	}
	for _, name := range []string{"rows", "a question"} {
		t.Run(name, func(t *testing.T) {
			styles := map[string]*strings.Builder{}
			for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
				s := newScreen(t, size[0], size[1])
				manyRuns(s)
				s.keys("ctrl+t")
				if name == "rows" {
					s.keys("down", "down", "down")
				}
				text := s.text()
				if size[0] == 200 {
					t.Run("200x60", func(t *testing.T) { golden(t, text) })
				}
				for _, look := range looks {
					s.themeInputs = look.attire
					s.applyTheme()
					drawn := picturetest.Draw(s.View().Content, s.width, s.height)
					require.Equal(t, text, drawn.Text(), "the text in the look %s", look.name)
					if styles[look.name] == nil {
						styles[look.name] = &strings.Builder{}
					}
					fmt.Fprintf(styles[look.name], "── %dx%d\n%s", size[0], size[1], drawn.Styles())
				}
			}
			for _, look := range looks {
				t.Run(look.name, func(t *testing.T) { golden(t, styles[look.name].String()) })
			}
		})
	}
}
