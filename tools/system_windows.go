package tools

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"pawl/internal/launch"
)

// Windows is not supported: nothing of the tools is used there.
const (
	onlyFolder = 0
	wakeUp     = syscall.SIGTERM
)

func linksOf(fs.FileInfo) uint64 { return 1 }

func ownerOf(fs.FileInfo) (user, group int, known bool) { return 0, 0, false }

func writeAccess(string) error { return errors.ErrUnsupported }

func modesHere() []launch.Mode { return nil }

func helperPath() (string, error) { return os.Executable() }

func (manner) attributes() *syscall.SysProcAttr { return nil }

func hideMemory() {}
