//go:build !windows

package front

import (
	"os"

	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/tty"
)

// Main makes this process the front if the command line wants a screen and here is a terminal, and
// ends with the host's exit code. Otherwise it returns. It must be called before anything is opened
// or started.
func Main() {
	if handover.Started() || guard.Guarded() {
		return // the host, or its guard
	}
	role := wanted(os.Args)
	if role == other || role == screen && !usable() {
		return
	}
	guard.NameProcess("pawl") // it was started by its path
	guard.HideMemory()
	f := newFront()
	code := f.run(firstTarget(os.Args, role))
	os.Exit(code)
}

// usable reports whether a screen can be shown here; if not, the command says so.
func usable() bool {
	return len(tty.Find(0)) == 1 && len(tty.Find(1)) == 1 && os.Getenv("TERM") != "dumb"
}
