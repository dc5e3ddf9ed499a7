package handover

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"pawl/internal/socket"
)

// variable names the environment variable that tells a guard, and the host that it starts, the
// descriptor of their end of the line to the front that has started them.
const variable = "PAWL_FRONT"

// Inherit is the variable for a process that inherits the line under this descriptor.
func Inherit(fd int) string { return variable + "=" + strconv.Itoa(fd) }

// Ending tells a front how its host has ended. A nil Ending tells nobody.
type Ending struct{ fd int }

// Inherited is the guard's end of the line; nil if no front has started this process. The variable
// and the descriptor are left for the host to inherit.
func Inherited() *Ending {
	fd, ok := inherited()
	if !ok {
		return nil
	}
	return &Ending{fd}
}

// Tell says that the host is gone, with its exit code and, if it did not mean to end, why. A front
// that has heard of an end already passes it over.
func (e *Ending) Tell(code int, why string) {
	if e == nil {
		return
	}
	if conn, err := socket.FromFD(e.fd); err == nil {
		_ = Send(conn, Message{Type: TypeEnd, Code: code, Text: why, Last: true}) // it may be gone
	}
}

// Withhold is the environment of a program that the guard starts beside the host: without the line to
// the front, which it does not inherit either.
func (e *Ending) Withhold(environ []string) []string {
	if e != nil {
		closeOnExec(e.fd)
	}
	return slices.DeleteFunc(environ, func(entry string) bool { return strings.HasPrefix(entry, variable+"=") })
}

func inherited() (fd int, ok bool) {
	value, there := os.LookupEnv(variable)
	if !there {
		return 0, false
	}
	fd, err := strconv.Atoi(value)
	return fd, err == nil && fd > 2
}

// Started reports whether a front has started this process.
func Started() bool {
	_, ok := inherited()
	return ok
}

// terminalVariables begin the names of the variables that say how a terminal and the line to it
// are to be used.
var terminalVariables = []string{
	"TERM=", "TERM_PROGRAM", "COLORTERM=", "COLORFGBG=", "LANG=", "LC_", "NO_COLOR=", "CLICOLOR", "FORCE_COLOR=",
	"TMUX", "STY=", "SSH_", "VTE_VERSION=", "KITTY_WINDOW_ID=", "WT_SESSION=", "ConEmuANSI=", "HOME=", "PATH=",
	"WAYLAND_DISPLAY=", "DISPLAY=", "XAUTHORITY=", "XDG_RUNTIME_DIR=", // of its clipboard
}

// TerminalEnviron are those of the variables that a screen on another terminal needs. No key of a
// model is among them.
func TerminalEnviron(environ []string) (some []string) {
	for _, entry := range environ {
		for _, prefix := range terminalVariables {
			if strings.HasPrefix(entry, prefix) {
				some = append(some, entry)
				break
			}
		}
	}
	return some
}
