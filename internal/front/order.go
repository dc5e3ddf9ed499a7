package front

import (
	"slices"
	"strings"

	"pawl/internal/system"
)

// opensSession reports whether a command line from a host is one of those that hosts send a front on
// with: it opens a session, as a person then goes on with it, or the screen over all of them. A prompt
// is none of that, nor is anything that would run without a screen.
func opensSession(args []string) bool {
	if len(args) > 0 && args[0] == "fleet" {
		return len(args) == 1 || len(args) == 2 && value(args[1])
	}
	for len(args) > 0 {
		switch {
		case args[0] == "--trust":
			args = args[1:]
		case len(args) > 1 && slices.Contains([]string{"--session", "--model", "--effort", "--permission-mode"}, args[0]) && value(args[1]):
			args = args[2:]
		default:
			return false
		}
	}
	return true
}

// value reports whether a word is no flag.
func value(word string) bool { return word != "" && !strings.HasPrefix(word, "-") }

// exitCode is what a host says of itself as an exit code: a shell would see another one's last byte.
func exitCode(code int) int {
	const highest = 255
	if code < 0 || code > highest {
		return system.ExitError
	}
	return code
}
