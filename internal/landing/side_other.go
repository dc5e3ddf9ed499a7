//go:build !unix

package landing

import "io/fs"

// errNotFolder is the error of a path below a file.
var errNotFolder = fs.ErrNotExist
