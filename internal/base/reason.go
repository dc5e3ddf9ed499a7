package base

import (
	"errors"
	"io/fs"
)

// Reason is the message of an error without its path, for lines that name the path already.
func Reason(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return OneLine(err.Error())
}
