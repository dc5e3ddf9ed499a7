package terminal

import (
	"slices"
	"strings"
)

// Features is what the variables say about colours and characters.
type Features struct {
	Colour, ASCII, Links, Light bool
	// HoldsEsc: GNU screen is in between. With the mouse on, it takes a lone Esc for the
	// beginning of a report and holds it until the next key.
	HoldsEsc bool
}

// ReadFeatures reads NO_COLOR, TERM and the locale like other programs: the first of LC_ALL,
// LC_CTYPE and LANG that is set counts. COLORFGBG, set by rxvt and Konsole, ends in the number
// of the background: white is 15 or 7.
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

// takesLinks reports whether a terminal does not print the sequence of a link.
func takesLinks(term string) bool { return term != "" && term != "dumb" && term != "linux" }

// variable reads a variable: the last entry counts, as for started programs.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// Mode 2031 makes the terminal report when it turns dark or light. It comes from Contour;
// Ghostty, kitty, tmux and VTE have it too. Others ignore it.
const (
	SchemeReportsOn  = "\x1b[?2031h"
	SchemeReportsOff = "\x1b[?2031l"
)
