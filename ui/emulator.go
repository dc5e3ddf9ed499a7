package ui

import (
	"strconv"
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// emulator is what the variables tell of the program that draws the terminal:
// which signs of its own it has for a progress bar and for a notification. What
// is not known to have one gets none: an older iTerm shows the sequence of a
// progress bar as a notification.
type emulator struct {
	bar  bool    // OSC 9;4
	tell dialect // of notifications
}

// dialect is a way to word a desktop notification.
type dialect uint8

const (
	bellOnly  dialect = iota
	growl             // OSC 9, of iTerm2
	urxvt             // OSC 777
	kittyTold         // OSC 99
)

// String names the sequence, empty for the bell.
func (d dialect) String() string {
	switch d {
	case growl:
		return "OSC 9"
	case urxvt:
		return "OSC 777"
	case kittyTold:
		return "OSC 99"
	case bellOnly:
	}
	return ""
}

// readEmulator goes by TERM_PROGRAM and the like. Between Pawl and the emulator
// nothing may stand that would keep such signs, or show them to another window: in
// tmux and screen the bell is what comes through.
//
// A progress bar have Windows Terminal, ConEmu, Ghostty from 1.2, iTerm2 from
// 3.6.6, WezTerm from 2025 and what is built on VTE from 0.80.
func readEmulator(env []string) emulator {
	get := func(name string) string { return variable(env, name) }
	term, program, version := get("TERM"), get("TERM_PROGRAM"), get("TERM_PROGRAM_VERSION")
	switch {
	case get("TMUX") != "", get("STY") != "", strings.HasPrefix(term, "tmux"), strings.HasPrefix(term, "screen"):
		return emulator{}
	case program == "ghostty":
		return emulator{bar: atLeast(version, 1, 2), tell: urxvt}
	case program == "iTerm.app":
		return emulator{bar: atLeast(version, 3, 6, 6), tell: growl}
	case program == "WezTerm":
		return emulator{bar: atLeast(version, 20250101), tell: urxvt}
	case term == "xterm-kitty", get("KITTY_WINDOW_ID") != "":
		return emulator{tell: kittyTold}
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"), strings.HasPrefix(term, "contour"):
		return emulator{tell: urxvt}
	case get("WT_SESSION") != "", get("ConEmuANSI") == "ON", atLeast(get("VTE_VERSION"), 8000):
		return emulator{bar: true}
	}
	return emulator{}
}

// atLeast reports whether a version, numbers with dots or dashes between, is at least
// this one.
func atLeast(version string, least ...int) bool {
	parts := strings.FieldsFunc(version, func(r rune) bool { return r == '.' || r == '-' })
	for i, want := range least {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil || n != want {
			return err == nil && n > want
		}
	}
	return true
}

// call is the sequence that makes a terminal call its user. The words are clean,
// and stand behind a word of ours: in OSC 9 a number at their front would be an
// order.
func (e emulator) call(how string, words sanitize.Text) draw.Sequence {
	const bell draw.Sequence = "\a"
	tell := e.tell
	switch {
	case how == notifyBell:
		return bell
	case how == notifyDesktop && tell == bellOnly: // it may know the widest known of them, and else rings
		return bell + emulator{tell: urxvt}.call("", words)
	}
	switch tell {
	case growl:
		return "\x1b]9;Pawl: " + draw.Sequence(words) + "\x1b\\"
	case urxvt:
		return "\x1b]777;notify;Pawl;" + draw.Sequence(strings.ReplaceAll(string(words), ";", ",")) + "\x1b\\"
	case kittyTold:
		return "\x1b]99;;Pawl: " + draw.Sequence(words) + "\x1b\\"
	case bellOnly:
	}
	return bell
}

// The ways to call somebody who looks elsewhere, as a setting names them.
const (
	notifyBell    = "bell"
	notifyDesktop = "desktop"
	notifyOff     = "off" // and auto: as the terminal can
)
