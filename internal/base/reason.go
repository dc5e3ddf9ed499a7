package base

import (
	"errors"
	"io/fs"
)

// Reason is the message of an error without its path, for lines that name the path already.
func Reason(err error) string {
	if of, is := errors.AsType[*fs.PathError](err); is {
		err = of.Err
	}
	return OneLine(err.Error())
}
