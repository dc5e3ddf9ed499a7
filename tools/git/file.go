package git

import (
	"errors"
	"io/fs"
	"os"

	"pawl/internal/regular"
)

// read reads a file whole. It follows links, as git does, and never waits: what is no
// regular file is an error. Errors do not name the path.
func read(path string) (string, error) {
	text, err := regular.Read(path, longestFile)
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		err = of.Err
	}
	return string(text), err
}

// there says whether something is, whatever it is.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
