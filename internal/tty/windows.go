//go:build windows

package tty

import (
	"errors"
	"os"
)

// Terminals is always empty here: Windows is not supported yet.
type Terminals []struct{}

// Find finds none.
func Find(...int) Terminals { return nil }

// Restore does nothing.
func (Terminals) Restore() {}

// RestoreSettings does nothing.
func (Terminals) RestoreSettings() {}

// KeepOutput does nothing.
func (Terminals) KeepOutput() {}

// ResetModes does nothing.
func ResetModes(*os.File, bool) {}

// Silence returns an error.
func Silence(*os.File) (restore func(), err error) { return nil, errors.ErrUnsupported }
