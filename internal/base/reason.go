package base

import (
	"errors"
	"io/fs"
)

// Reason is an error without the path that the line around it names already.
func Reason(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return OneLine(err.Error())
}
