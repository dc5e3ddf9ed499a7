package draw

import (
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Shades is how many colours a terminal has.
type Shades uint8

// The numbers of colours that matter.
const (
	Plain   Shades = iota // no colours, or none wanted: weights only
	Sixteen               // the terminal's own sixteen, as the user has set them
	Indexed               // the 256 of a table that is the same in all terminals
	Many                  // any colour
)

// ShadesOf returns how many colours a terminal of this profile has for the themes.
func ShadesOf(profile colorprofile.Profile) Shades {
	switch {
	case profile >= colorprofile.TrueColor:
		return Many
	case profile == colorprofile.ANSI256:
		return Indexed
	case profile == colorprofile.ANSI:
		return Sixteen
	}
	return Plain
}

// ink is a colour: "#rrggbb", or its number among the 16 or 256 of a terminal; empty for the
// default.
type ink string

// draws is the paint of an ink.
func (i ink) draws() Paint {
	return paintOf(lipgloss.NewStyle().Foreground(lipgloss.Color(string(i))))
}

// Palette is the inks of a theme by meaning. Text has a contrast of at least 4.5 to 1 against
// the usual backgrounds, as WCAG 2 requires, and lines and asides 3 to 1; in the high-contrast
// themes everything has 7 to 1, its AAA. TestEveryInkIsReadOnEveryUsualGroundInFullAndIn256Colours
// computes it.
type Palette struct {
	dim, faint      ink
	accent, user    ink
	good, warn, bad ink
	code            ink
	full            bool // enough of them to highlight code
}

// PaletteOf returns the inks for a background, high contrast or not, and a number of colours.
func PaletteOf(dark, contrast bool, of Shades) Palette {
	switch {
	case of == Plain:
		return Palette{}
	case of == Sixteen:
		return sixteenOf(dark, contrast)
	case of == Indexed && !contrast:
		return indexedOf(dark)
	case contrast && dark: // these and the next are of the 256, so that all terminals show the same
		return Palette{
			dim: "#bcbcbc", faint: "#b2b2b2", accent: "#ffd787", user: "#ffffaf",
			good: "#afff87", warn: "#ffd700", bad: "#ffafaf", code: "#afd7ff", full: true,
		}
	case contrast:
		return Palette{
			dim: "#3a3a3a", faint: "#444444", accent: "#000087", user: "#5f0087",
			good: "#005f00", warn: "#5f005f", bad: "#870000", code: "#00005f", full: true,
		}
	case dark:
		return Palette{
			dim: "#8b919c", faint: "#727883", accent: "#d9a55b", user: "#e8c48f",
			good: "#8fbf7f", warn: "#e0b04f", bad: "#e27878", code: "#9ec1d9", full: true,
		}
	}
	return Palette{
		dim: "#5a606b", faint: "#7f8590", accent: "#9a5f00", user: "#7a4b00",
		good: "#32692a", warn: "#875300", bad: "#b32d2d", code: "#1f5f85", full: true,
	}
}

// indexedOf picks those of the 256 that look most like the colours in full: greys are from the
// row of true greys (232 to 255), for the nearest of a bluish grey is a lilac or a teal of the
// colour cube.
func indexedOf(dark bool) Palette {
	if dark {
		return Palette{
			dim: "246", faint: "243", accent: "179", user: "222",
			good: "108", warn: "221", bad: "203", code: "110", full: true,
		}
	}
	return Palette{
		dim: "241", faint: "244", accent: "94", user: "94",
		good: "22", warn: "94", bad: "124", code: "24", full: true,
	}
}

// sixteenOf picks those of the sixteen that are readable on their background with the colours of
// xterm and of the Linux console. No grey: in many colour schemes bright black is the
// background.
func sixteenOf(dark, contrast bool) Palette {
	switch {
	case dark && contrast:
		return Palette{accent: "11", user: "11", good: "10", warn: "11", bad: "11", code: "14"}
	case dark:
		return Palette{accent: "3", user: "11", good: "2", warn: "3", bad: "9", code: "6"}
	case contrast:
		return Palette{accent: "4", user: "4", good: "4", warn: "4", bad: "4", code: "4"}
	}
	return Palette{accent: "4", user: "5", good: "4", warn: "5", bad: "1", code: "4"}
}
