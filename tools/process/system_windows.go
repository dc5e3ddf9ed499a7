package process

import (
	"os"
	"syscall"

	"pawl/internal/launch"
)

// Windows is not supported: nothing of the launcher is used there.
const wakeUp = syscall.SIGTERM

func modesHere() []launch.Mode { return nil }

func helperPath() (string, error) { return os.Executable() }

func (helperSetup) attributes() *syscall.SysProcAttr { return nil }

func hideMemory() {}

func ownSession() *syscall.SysProcAttr { return nil }
