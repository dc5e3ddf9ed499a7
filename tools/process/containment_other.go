//go:build !linux

package process

import (
	"os"
	"syscall"

	"pawl/internal/launch"
)

// modesHere are what can be tried, the strongest first.
func modesHere() []launch.Mode { return []launch.Mode{launch.Group} }

func helperPath() (string, error) { return os.Executable() }

// attributes gives the helper a session of its own.
func (helperSetup) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// hideMemory does nothing: this system shows a process to its user's debuggers alone.
func hideMemory() {}
