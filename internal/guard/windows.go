//go:build windows

package guard

import (
	"errors"
	"os"
)

// takeLine ends the program with exit code 2, that of bad usage: Pawl does not run on Windows
// yet. It builds so that whoever installs it is told.
func takeLine() bool {
	_, _ = os.Stderr.WriteString(unsupported + "\n")
	os.Exit(2)
	return false
}

const unsupported = "pawl: Windows is not supported natively yet: install WSL (wsl --install), and use Pawl in there as on Linux"

var errUnsupported = errors.New(unsupported)

func become() error { return errUnsupported }

// Duplicate returns an error.
func Duplicate(int) (int, error) { return 0, errUnsupported }

// Replace returns an error.
func Replace(int, int) error { return errUnsupported }
