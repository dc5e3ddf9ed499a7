package terminal

import (
	"strconv"
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Emulator is what the variables tell of the program that draws the terminal:
// which signs of its own it has for a progress bar and for a notification. What
// is not known to have one gets none: an older iTerm shows the sequence of a
// progress bar as a notification.
type Emulator struct {
	Bar     bool    // OSC 9;4
	Dialect Dialect // of notifications
}

// Dialect is a way to word a desktop notification.
type Dialect uint8

const (
	BellOnly  Dialect = iota
	Growl             // OSC 9, of iTerm2
	Urxvt             // OSC 777
	KittyTold         // OSC 99
)

// String names the sequence, empty for the bell.
func (d Dialect) String() string {
	switch d {
	case Growl:
		return "OSC 9"
	case Urxvt:
		return "OSC 777"
	case KittyTold:
		return "OSC 99"
	case BellOnly:
	}
	return ""
}

// ReadEmulator goes by TERM_PROGRAM and the like. Between Pawl and the emulator
// nothing may stand that would keep such signs, or show them to another window: in
// tmux and screen the bell is what comes through.
//
// A progress bar have Windows Terminal, ConEmu, Ghostty from 1.2, iTerm2 from
// 3.6.6, WezTerm from 2025 and what is built on VTE from 0.80.
func ReadEmulator(env []string) Emulator {
	get := func(name string) string { return variable(env, name) }
	term, program, version := get("TERM"), get("TERM_PROGRAM"), get("TERM_PROGRAM_VERSION")
	switch {
	case get("TMUX") != "", get("STY") != "", strings.HasPrefix(term, "tmux"), strings.HasPrefix(term, "screen"):
		return Emulator{}
	case program == "ghostty":
		return Emulator{Bar: atLeast(version, 1, 2), Dialect: Urxvt}
	case program == "iTerm.app":
		return Emulator{Bar: atLeast(version, 3, 6, 6), Dialect: Growl}
	case program == "WezTerm":
		return Emulator{Bar: atLeast(version, 20250101), Dialect: Urxvt}
	case term == "xterm-kitty", get("KITTY_WINDOW_ID") != "":
		return Emulator{Dialect: KittyTold}
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"), strings.HasPrefix(term, "contour"):
		return Emulator{Dialect: Urxvt}
	case get("WT_SESSION") != "", get("ConEmuANSI") == "ON", atLeast(get("VTE_VERSION"), 8000):
		return Emulator{Bar: true}
	}
	return Emulator{}
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

// Notification is the sequence that makes a terminal call its user. The words are clean,
// and stand behind a word of ours: in OSC 9 a number at their front would be an
// order.
func (e Emulator) Notification(how string, words sanitize.Text) draw.Sequence {
	const bell draw.Sequence = "\a"
	tell := e.Dialect
	switch {
	case how == notifyBell:
		return bell
	case how == notifyDesktop && tell == BellOnly: // it may know the widest known of them, and else rings
		return bell + Emulator{Dialect: Urxvt}.Notification("", words)
	}
	switch tell {
	case Growl:
		return "\x1b]9;Pawl: " + draw.Sequence(words) + "\x1b\\"
	case Urxvt:
		return "\x1b]777;notify;Pawl;" + draw.Sequence(strings.ReplaceAll(string(words), ";", ",")) + "\x1b\\"
	case KittyTold:
		return "\x1b]99;;Pawl: " + draw.Sequence(words) + "\x1b\\"
	case BellOnly:
	}
	return bell
}

// The ways to call somebody who looks elsewhere, as a setting names them.
const (
	notifyBell    = "bell"
	notifyDesktop = "desktop"
	NotifyOff     = "off" // and auto: as the terminal can
)
