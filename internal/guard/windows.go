//go:build windows

package guard

import (
	"errors"
	"os"
)

// takeLine ends the program: Pawl does not run on Windows yet. It builds, so that somebody
// who installs it is told so. Exit code 2 is that of bad usage.
func takeLine() bool {
	_, _ = os.Stderr.WriteString(unsupported + "\n")
	os.Exit(2)
	return false
}

const unsupported = "pawl: Windows is not supported yet: install WSL (wsl --install), and use Pawl in there as on Linux"

var errUnsupported = errors.New(unsupported)

func become() error { return errUnsupported }

// Terminals are none here.
type Terminals []struct{}

// FindTerminals finds none.
func FindTerminals() Terminals { return nil }

// RestoreSettings has nothing to restore.
func (Terminals) RestoreSettings() {}

// ResetModes has nothing to reset.
func (Terminals) ResetModes(bool) {}

// KeepOutput has nothing to keep.
func (Terminals) KeepOutput() {}

// Cooked is true of no terminal here.
func Cooked(int) bool { return false }

// Duplicate is refused.
func Duplicate(int) (int, error) { return 0, errUnsupported }

// Replace is refused.
func Replace(int, int) error { return errUnsupported }
