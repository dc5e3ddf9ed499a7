//go:build !windows

package guard

import "syscall"

// Terminals are those of the three streams that are one, with their settings from
// before Pawl.
type Terminals []terminal

type terminal struct {
	fd     int
	before settings
}

// FindTerminals reads the settings as they are now.
func FindTerminals() (all Terminals) {
	for fd := range 3 {
		if now, err := getSettings(fd); err == nil {
			all = append(all, terminal{fd, now})
		}
	}
	return all
}

// RestoreSettings is for Pawl itself, when its guard is gone. Settings that are
// those of somebody who writes lines are left alone: a shell has been quicker, and
// has its own.
func (all Terminals) RestoreSettings() {
	for _, t := range all {
		if !Cooked(t.fd) {
			t.restore()
		}
	}
}

// KeepOutput is for Pawl itself, between the end of its screen and its own. Ctrl+C is a
// signal by then, at which the kernel throws away what the terminal has not read yet: the
// sequence that leaves the alternate screen could be in it. The guard takes this back.
func (all Terminals) KeepOutput() {
	for _, t := range all {
		if now, err := getSettings(t.fd); err == nil && foreground(t.fd) {
			now.Lflag |= syscall.NOFLSH
			_ = setSettings(t.fd, now) // it may have been closed since
		}
	}
}

func (t terminal) restore() {
	_ = setSettings(t.fd, t.before) // it may have been closed since
}

// ResetModes takes back what the screen has switched on in its terminal, and drops
// what was typed or reported for it: that is not for the shell. The progress bar is
// taken away where there was one: elsewhere it would be a notification.
func (all Terminals) ResetModes(bar bool) {
	for _, t := range all {
		if t.fd == 1 {
			writeAll(t.fd, resetModes)
			if bar {
				writeAll(t.fd, resetBar)
			}
			_ = forgetInput(t.fd) // as far as the terminal is there
		}
	}
}

// Cooked says whether a terminal's settings are those of somebody who writes lines
// to it, as a shell does and the screen does not.
func Cooked(fd int) bool {
	now, err := getSettings(fd)
	return err == nil && now.Oflag&syscall.OPOST != 0
}

// resetModes takes back all that the screen may have switched on in a terminal.
// The order matters: what belongs to the alternate screen is taken back while the
// terminal shows it, and to leave it brings the cursor back to where it was.
const resetModes = "\x18" + // whatever sequence was cut off in the middle
	"\x1b[?2026l" + // synchronized output
	"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" + // the mouse
	"\x1b[?1004l\x1b[?2004l\x1b[?2031l" + // focus reports, bracketed paste, reports of dark and light
	"\x1b[>4m\x1b[<u" + // modifyOtherKeys, the keyboard protocol of this screen
	"\x1b[?1l\x1b>" + // cursor keys, keypad
	"\x1b[m\x1b]8;;\x07" + // colours, a link
	"\x1b[4l\x1b[?7h\x1b[r" + // insert mode, wrapping, the region that scrolls
	"\x1b[?1049l" + // the alternate screen
	"\x1b[?2027l" + // widths by grapheme
	"\x1b[0 q\x1b[?25h" // the cursor's shape, and the cursor

const resetBar = "\x1b]9;4;0\x07"

// restore puts the terminal right: its settings and, where Pawl did not leave in
// order, its modes. A terminal that another group owns by now is left alone: a
// shell has stopped waiting for Pawl.
func (g *guard) restore(a account) {
	for i, t := range g.terminals {
		if !foreground(t.fd) {
			continue
		}
		now, err := getSettings(t.fd)
		if err == nil && now != t.before {
			t.restore()
		}
		if a.screen && !a.inOrder {
			g.terminals[i : i+1].ResetModes(a.bar)
		}
	}
}

// foreground says whether a write to the settings of a terminal is ours to do: the
// kernel would stop us for one from the background. A terminal that is not the one
// of our session knows no groups.
func foreground(fd int) bool {
	group, err := foregroundGroup(fd)
	return err != nil || group == syscall.Getpgrp()
}

// writeAll writes as far as it can: a terminal that is gone takes nothing.
func writeAll(fd int, text string) {
	for text != "" {
		n, err := syscall.Write(fd, []byte(text))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return
		}
		text = text[n:]
	}
}
