package filestore

import (
	"errors"
	"os"
)

// Windows is not supported: nothing of the tools is used there.
func lock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return errors.ErrUnsupported }
