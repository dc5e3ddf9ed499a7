//go:build !unix

package rewind

import (
	"errors"
	"io/fs"
)

// absent reports that nothing stands at a path.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
