//go:build !linux && !windows

package process

import (
	"os"
	"syscall"

	"pawl/internal/launch"
)

func modesHere() []launch.Mode { return []launch.Mode{launch.Group} }

func helperPath() (string, error) { return os.Executable() }

func (helperSetup) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// hideMemory does nothing: this system shows a process to its user's debuggers alone.
func hideMemory() {}
