package tty

// resetModes turns off all that the screen may have turned on in a terminal. The order matters:
// modes of the alternate screen are reset while it is shown, and leaving it restores the
// cursor's position. It is entered first, in case the screen has left it already: resetting the scroll
// region would move the shell's cursor to the top, and the keyboard mode would be the shell's. Entering it
// a second time changes nothing.
const resetModes = "\x18" + // cancels a sequence that was cut off
	"\x1b[?2026l" + // synchronized output
	"\x1b[?1049h" +
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
