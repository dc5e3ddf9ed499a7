package system

import (
	"context"
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Windows is not supported: internal/guard says so and ends the program before any of this runs.
const (
	StderrFD   = 2
	LockWait   = 0
	LockNow    = 0
	LockShared = 0
)

// LockFile returns an error.
func LockFile(*os.File, int) error { return errors.ErrUnsupported }

// SignalSelf does nothing.
func SignalSelf(syscall.Signal) {}

// Suspend returns an error.
func Suspend(context.Context) error { return errors.ErrUnsupported }

// BackgroundSignals returns none.
func BackgroundSignals() []os.Signal { return nil }

// Platform names the system.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

func readNow(uintptr, []byte) int { return 0 }

// CheckWritable returns an error.
func CheckWritable(string) error { return errors.ErrUnsupported }

// FreeSpace returns an error.
func FreeSpace(string) (free, files uint64, counted bool, err error) {
	return 0, 0, false, errors.ErrUnsupported
}
