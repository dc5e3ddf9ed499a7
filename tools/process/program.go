package process

import (
	"errors"
	"os/exec"
)

// ProgramPath is the file that a name runs, by today's PATH; empty where there is no such
// program. here says that it was found by an entry of PATH that is no whole path, and so
// lies in whatever folder is the current one.
func ProgramPath(name string) (path string, here bool) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", false
	}
	return path, err != nil
}

// CheckProgram says why a program that is named by a path or by itself cannot be started;
// nil where it is there.
func CheckProgram(name string) error {
	_, err := exec.LookPath(name)
	if about := (*exec.Error)(nil); errors.As(err, &about) {
		return about.Err
	}
	return err
}
