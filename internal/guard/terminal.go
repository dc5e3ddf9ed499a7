//go:build !windows

package guard

import "syscall"

// Terminals are those of the three standard streams that are terminals, with their settings from
// before Pawl.
type Terminals []terminal

type terminal struct {
	fd     int
	before settings
}

// FindTerminals finds the terminals and reads their current settings.
func FindTerminals() (all Terminals) {
	for fd := range 3 {
		if now, err := getSettings(fd); err == nil {
			all = append(all, terminal{fd, now})
		}
	}
	return all
}

// RestoreSettings is called by Pawl itself when its guard is gone. A terminal that is in line
// mode already is left alone: the shell has set it up.
func (all Terminals) RestoreSettings() {
	for _, t := range all {
		if !Cooked(t.fd) {
			t.restore()
		}
	}
}

// KeepOutput is called by Pawl between the screen's end and its own. Ctrl+C is a signal again by
// then, at which the kernel discards output that the terminal has not read yet: the sequence
// that leaves the alternate screen could be in it. The guard undoes this.
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

// ResetModes turns off what the screen may have turned on in its terminal and discards unread
// input, which is not meant for the shell. The progress bar is cleared only if there was one:
// elsewhere the sequence would be a notification.
func (all Terminals) ResetModes(bar bool) {
	for _, t := range all {
		if t.fd == 1 {
			writeAll(t.fd, resetModes)
			if bar {
				writeAll(t.fd, resetBar)
			}
			_ = discardInput(t.fd) // the terminal may be gone
		}
	}
}

// Cooked reports whether a terminal is in line mode, as shells use it and the screen does not.
func Cooked(fd int) bool {
	now, err := getSettings(fd)
	return err == nil && now.Oflag&syscall.OPOST != 0
}

// resetModes turns off all that the screen may have turned on in a terminal. The order matters:
// modes of the alternate screen are reset while it is shown, and leaving it restores the
// cursor's position.
const resetModes = "\x18" + // cancels a sequence that was cut off
	"\x1b[?2026l" + // synchronized output
	"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" + // the mouse
	"\x1b[?1004l\x1b[?2004l\x1b[?2031l" + // focus reports, bracketed paste, reports of dark and light
	"\x1b[>4m\x1b[<u" + // modifyOtherKeys, the Kitty keyboard protocol
	"\x1b[?1l\x1b>" + // cursor keys, keypad
	"\x1b[m\x1b]8;;\x07" + // colours, a link
	"\x1b[4l\x1b[?7h\x1b[r" + // insert mode, wrapping, the scroll region
	"\x1b[?1049l" + // the alternate screen
	"\x1b[?2027l" + // widths by grapheme
	"\x1b[0 q\x1b[?25h" // the cursor's shape and visibility

const resetBar = "\x1b]9;4;0\x07"

// restore restores the terminal's settings and, if Pawl did not exit in order, its modes. A
// terminal that belongs to another group by now is left alone: a shell has stopped waiting for
// Pawl.
func (g *guard) restore(a pawlState) {
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

// foreground reports whether this process may change a terminal's settings: the kernel would
// stop a background process for it. A terminal of another session has no groups.
func foreground(fd int) bool {
	group, err := foregroundGroup(fd)
	return err != nil || group == syscall.Getpgrp()
}

// writeAll writes the text and gives up on an error, such as a terminal that is gone.
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
