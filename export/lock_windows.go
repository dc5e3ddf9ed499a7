package export

import (
	"errors"
	"os"
)

const noFollow = 0

// lock is refused: Windows is not supported.
func lock(*os.File) error { return errors.ErrUnsupported }
