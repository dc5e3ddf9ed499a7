//go:build !windows

package tty

import (
	"os"
	"syscall"
)

// Terminals are those of some streams that are terminals, with their settings from when they were
// found.
type Terminals []terminal

type terminal struct {
	fd     int
	before settings
}

// Find finds the terminals among these descriptors and reads their settings. The descriptors must
// stay open as long as the result is used.
func Find(descriptors ...int) (all Terminals) {
	for _, fd := range descriptors {
		if now, err := getSettings(fd); err == nil {
			all = append(all, terminal{fd, now})
		}
	}
	return all
}

// Restore puts the settings back where they have changed. A terminal that belongs to another
// process group by now is left alone: a shell has stopped waiting for this process.
func (all Terminals) Restore() {
	for _, t := range all {
		now, err := getSettings(t.fd)
		if err == nil && now != t.before && foreground(t.fd) {
			t.restore()
		}
	}
}

// RestoreSettings is for whoever has been given the terminal, when the process that lent it is
// gone. A terminal that is in line mode already is left alone but for KeepOutput: the shell has set it
// up.
func (all Terminals) RestoreSettings() {
	for _, t := range all {
		kept := t.before
		kept.Lflag |= syscall.NOFLSH
		if now, err := getSettings(t.fd); err == nil && (!cooked(t.fd) || now == kept) {
			t.restore()
		}
	}
}

// KeepOutput is for the time between the screen's end and the process's own. Ctrl+C is a signal again
// by then, at which the kernel discards output that the terminal has not read yet: the sequence
// that leaves the alternate screen could be in it. Restore and RestoreSettings undo this.
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

// InLineMode reports whether keys are a line's, as a shell has them, and Ctrl+C is a signal.
func (all Terminals) InLineMode() bool { return len(all) > 0 && cooked(all[0].fd) }

// ResetModes turns off what the screen may have turned on in the terminal and discards unread
// input, which is not meant for the shell. The progress bar is cleared only if there was one:
// elsewhere the sequence would be a notification. It waits for a terminal that takes no bytes.
func ResetModes(out *os.File, bar bool) {
	fd := int(out.Fd())
	text := resetModes
	if bar {
		text += resetBar
	}
	writeAll(fd, text)
	_ = discardInput(fd) // the terminal may be gone
}

// cooked reports whether a terminal is in line mode, as shells use it and the screen does not.
func cooked(fd int) bool {
	now, err := getSettings(fd)
	return err == nil && now.Oflag&syscall.OPOST != 0
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
