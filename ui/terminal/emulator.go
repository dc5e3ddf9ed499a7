package terminal

import (
	"strconv"
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Emulator is what the variables tell of the terminal emulator: which sequences it has for a
// progress bar and for notifications. One that is not known to have a sequence is not sent it:
// an older iTerm shows that of a progress bar as a notification.
type Emulator struct {
	Bar     bool    // OSC 9;4
	Dialect Dialect // how it takes notifications
}

// Dialect is a sequence for desktop notifications.
type Dialect uint8

const (
	BellOnly  Dialect = iota
	Growl             // OSC 9, of iTerm2
	Urxvt             // OSC 777
	KittyTold         // OSC 99
)

// String names the sequence; empty for the bell.
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

// ReadEmulator reads TERM_PROGRAM and the like. In tmux and screen, which swallow such sequences
// or show them to another window, it returns only the bell.
//
// Windows Terminal, ConEmu, Ghostty from 1.2, iTerm2 from 3.6.6, WezTerm from 2025 and terminals
// based on VTE from 0.80 have a progress bar.
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

// atLeast reports whether a version, numbers separated by dots or dashes, is at least this one.
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

// Notification is the sequence that notifies the user. The words are clean and begin with a word
// of ours: in OSC 9 a leading number would be a command.
func (e Emulator) Notification(how string, words sanitize.Text) draw.Sequence {
	const bell draw.Sequence = "\a"
	tell := e.Dialect
	switch {
	case how == notifyBell:
		return bell
	case how == notifyDesktop && tell == BellOnly: // it may know the most common one, and rings otherwise
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

// The ways to notify, as the setting names them.
const (
	notifyBell    = "bell"
	notifyDesktop = "desktop"
	NotifyOff     = "off" // besides auto, as the terminal can
)
