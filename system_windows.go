package main

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// Windows is not supported: a.pawl/guard says so and ends the program before any of this.
const (
	standardError = 2
	waiting       = 0
	atOnce        = 0
	shared        = 0
)

func lockFile(*os.File, int) error { return errors.ErrUnsupported }

func tellItself(syscall.Signal) {}

func ofTheBackground() []os.Signal { return nil }

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

func writable(string) error { return errors.ErrUnsupported }

func freeOn(string) (free, files uint64, counted bool, err error) {
	return 0, 0, false, errors.ErrUnsupported
}
