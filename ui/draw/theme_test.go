package draw

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	part := func(v uint32) float64 {
		s := float64(v>>8) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// contrastOf is the contrast ratio of WCAG 2, from 1 to 21.
func contrastOf(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func hexColor(t *testing.T, hex string) color.Color {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	require.NoError(t, err, hex)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// colour is what a terminal shows for an ink.
func colour(t *testing.T, of ink) color.Color {
	t.Helper()
	if strings.HasPrefix(string(of), "#") {
		return hexColor(t, string(of))
	}
	n, err := strconv.ParseUint(string(of), 10, 8)
	require.NoError(t, err)
	return ansi.IndexedColor(n)
}

// usualGrounds are the backgrounds that a theme has to be read on: black and white, those of the
// usual editors, and Solarized's.
func usualGrounds(t *testing.T, dark bool) []color.Color {
	if dark {
		return []color.Color{hexColor(t, "#000000"), hexColor(t, "#1e1e1e"), hexColor(t, "#0d1117"), hexColor(t, "#002b36")}
	}
	return []color.Color{hexColor(t, "#ffffff"), hexColor(t, "#fdf6e3")}
}

func (p Palette) read() map[string]ink {
	return map[string]ink{"dim": p.dim, "accent": p.accent, "user": p.user, "good": p.good, "warn": p.warn, "bad": p.bad, "code": p.code}
}

// Text has 4.5 to 1, what is beside it 3 to 1, and in high contrast all has 7 to 1; so has what a
// terminal of 256 colours is told to show.
func TestEveryInkIsReadOnEveryUsualGroundInFullAndIn256Colours(t *testing.T) {
	for _, shades := range []Shades{Many, Indexed} {
		for _, dark := range []bool{true, false} {
			for _, high := range []bool{true, false} {
				t.Run(fmt.Sprintf("shades %d, dark %v, high contrast %v", shades, dark, high), func(t *testing.T) {
					p, text, aside := PaletteOf(dark, high, shades), 4.5, 3.0
					if high {
						text, aside = 7, 7
					}
					check := func(name string, of ink, least float64) {
						shown := colour(t, of)
						if shades == Indexed {
							shown = colorprofile.ANSI256.Convert(shown) // high contrast is one table for both
						}
						for _, ground := range usualGrounds(t, dark) {
							require.GreaterOrEqual(t, contrastOf(shown, ground), least, "%s %s on %v", name, of, ground)
						}
					}
					for name, of := range p.read() {
						check(name, of, text)
					}
					check("faint", p.faint, aside)
				})
			}
		}
	}
}

// The nearest of 256 to a bluish grey is a lilac or a teal: the table names true greys.
func TestGreysAreGreyIn256Colours(t *testing.T) {
	for _, dark := range []bool{true, false} {
		for _, high := range []bool{true, false} {
			p := PaletteOf(dark, high, Indexed)
			for name, of := range map[string]ink{"dim": p.dim, "faint": p.faint} {
				r, g, b, _ := colorprofile.ANSI256.Convert(colour(t, of)).RGBA()
				require.True(t, r == g && g == b, "%s %s, dark %v, high contrast %v", name, of, dark, high)
			}
		}
	}
	require.Equal(t, []Shades{Plain, Sixteen, Indexed, Many}, []Shades{
		ShadesOf(colorprofile.ASCII), ShadesOf(colorprofile.ANSI), ShadesOf(colorprofile.ANSI256), ShadesOf(colorprofile.TrueColor),
	})
}

var foregrounds = regexp.MustCompile(`38;2;(\d+);(\d+);(\d+)m[^\x1b]*[^\x1b\s]`)

// What the highlighter draws is looked at, in languages with all sorts of words.
func TestContrastOfHighlightedCode(t *testing.T) {
	const code = "```go\n// A note.\npackage a\n\nimport \"fmt\"\n\n//go:build linux\ntype T[K ~int] struct{ a *K `json:\"a\"` }\n\nfunc (t T) F(n int) (string, error) { return fmt.Sprintf(\"%d\\n\", n+0x1f) + 'c', nil }\n```\n\n" +
		"```python\n@dec\nclass A(B):\n    \"\"\"Doc.\"\"\"\n    def f(self, *a): return f\"{a!r}\" if None else 1.5e3 # note\n```\n\n" +
		"```html\n<!-- n --><a href=\"x\" id=y>&amp; t</a>\n```\n\n```sh\nfor f in $(ls); do echo \"$f\" | sed 's/a/b/' && exit 1; done # n\n```\n\n```yaml\na: [1, \"b\"]\nc: &d true\n```\n\n```sql\nSELECT count(*) FROM t WHERE a = 'b' -- n\n```\n"
	for _, dark := range []bool{true, false} {
		for _, high := range []bool{true, false} {
			t.Run(fmt.Sprintf("dark %v, high contrast %v", dark, high), func(t *testing.T) {
				least := 4.5
				if high {
					least = 7
				}
				look := NewTheme(Tint{Dark: dark, Contrast: high, Shades: Many})
				found := map[string]bool{}
				for _, line := range NewProse(look, false).Render(sanitize.Text(code), 100) {
					for _, part := range foregrounds.FindAllStringSubmatch(string(line), -1) {
						found[part[1]+part[2]+part[3]] = true
						var c [3]uint8
						for i := range c {
							n, err := strconv.ParseUint(part[i+1], 10, 8)
							require.NoError(t, err)
							c[i] = uint8(n)
						}
						for _, ground := range usualGrounds(t, dark) {
							require.GreaterOrEqual(t, contrastOf(color.RGBA{c[0], c[1], c[2], 255}, ground), least, "%q on %v", part[0], ground)
						}
					}
				}
				require.Greater(t, len(found), 4, "the code has colours")
			})
		}
	}
}

// A terminal of sixteen colours gets its own, by number, and none that xterm or the
// Linux console has too close to the background.
func TestSixteenColoursAreNamedAndRead(t *testing.T) {
	tables := map[string][16]string{
		"xterm": {"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"},
		"linux": {"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa", "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"},
	}
	for _, dark := range []bool{true, false} {
		for _, high := range []bool{true, false} {
			p := PaletteOf(dark, high, Sixteen)
			for name, of := range p.read() {
				if of == "" {
					continue // the terminal's own text
				}
				n, err := strconv.Atoi(string(of))
				require.NoError(t, err)
				for table, colours := range tables {
					ground := "#ffffff"
					if dark {
						ground = "#000000"
					}
					least := 4.0
					if high {
						least = 7
					}
					require.GreaterOrEqual(t, contrastOf(hexColor(t, colours[n]), hexColor(t, ground)), least, "%s (%s) of %s, dark %v", name, of, table, dark)
				}
			}
			require.False(t, p.full, "words of code would have colours in full")
		}
	}
}
