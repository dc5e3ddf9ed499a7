package git

import (
	"errors"
	"io/fs"
	"os"

	"pawl/internal/regular"
)

// read reads a whole file. It follows links, as git does, and never blocks: a file that is not
// regular is an error. Errors do not name the path.
func read(path string) (string, error) {
	text, err := regular.Read(path, longestFile)
	if of, is := errors.AsType[*fs.PathError](err); is {
		err = of.Err
	}
	return string(text), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
