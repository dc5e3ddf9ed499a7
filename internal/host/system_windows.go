package host

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Windows is not supported: pawl/internal/guard says so and ends the program before any of this.
const (
	StderrFD   = 2
	LockWait   = 0
	LockNow    = 0
	LockShared = 0
)

func LockFile(*os.File, int) error { return errors.ErrUnsupported }

func SignalSelf(syscall.Signal) {}

func BackgroundSignals() []os.Signal { return nil }

func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

func CheckWritable(string) error { return errors.ErrUnsupported }

func FreeSpace(string) (free, files uint64, counted bool, err error) {
	return 0, 0, false, errors.ErrUnsupported
}
