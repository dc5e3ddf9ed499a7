package store

import (
	"errors"
	"os"
)

// Windows is not supported: the store is not used there.
const (
	lockShared    = 1
	lockExclusive = 2
)

func access(string, uint32) error { return errors.ErrUnsupported }

func flock(*os.File, int) error { return errors.ErrUnsupported }

// NetworkFileSystem always fails.
func NetworkFileSystem(string) (string, error) { return "", errors.ErrUnsupported }
