package terminal

import (
	"slices"
	"strings"
)

// Features is what the variables say about colour and signs.
type Features struct {
	Colour, ASCII, Links, Light bool
	// HoldsEsc says that GNU screen is in between: with the mouse on, it takes an Esc by
	// itself for the beginning of a report, and keeps it until the next key.
	HoldsEsc bool
}

// ReadFeatures reads NO_COLOR, TERM and the locale as other programs do: the
// first of LC_ALL, LC_CTYPE and LANG that is set counts. COLORFGBG, as rxvt and
// Konsole set it, ends in the number of the background: white is 15, and 7.
func ReadFeatures(env []string) Features {
	get := func(name string) string { return variable(env, name) }
	locale := get("LC_ALL")
	for _, name := range []string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = get(name)
		}
	}
	fgbg := get("COLORFGBG")
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return Features{
		Colour: get("NO_COLOR") == "" && get("TERM") != "dumb",
		ASCII:  !strings.Contains(locale, "utf8"),
		Links:  takesLinks(get("TERM")),
		Light:  strings.HasSuffix(fgbg, ";15") || strings.HasSuffix(fgbg, ";7"),

		HoldsEsc: get("TMUX") == "" && (get("STY") != "" || strings.HasPrefix(get("TERM"), "screen")),
	}
}

// takesLinks reports whether a terminal does not show the sequence itself.
func takesLinks(term string) bool { return term != "" && term != "dumb" && term != "linux" }

// variable reads one of some variables: the last entry counts, as it does for a
// program that is started with them.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// The terminal tells when its user, or the hour, turns it dark or light: mode 2031
// of Contour, which Ghostty, kitty, tmux and VTE have too. What does not know it
// takes no notice.
const (
	SchemeReportsOn  = "\x1b[?2031h"
	SchemeReportsOff = "\x1b[?2031l"
)
