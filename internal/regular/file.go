package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// quick keeps open(2) from waiting for the other end of a pipe, and a terminal from becoming
// this process's controlling terminal.
const quick = syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a file for reading, following symbolic links. If it is not a regular file the error
// is an *fs.PathError, as all errors of this package are.
func Open(path string) (*os.File, error) {
	return OpenWith(os.OpenFile, path, os.O_RDONLY, 0)
}

// OpenRoot is os.OpenRoot, which would block on a pipe in the place of the folder.
func OpenRoot(folder string) (*os.Root, error) {
	return os.OpenRoot(folder + string(os.PathSeparator) + ".")
}

// OpenIn is Open inside a root.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return OpenWith(root.OpenFile, name, os.O_RDONLY, 0)
}

// OpenWith is Open with a function like os.OpenFile, and its flags.
func OpenWith(open func(string, int, fs.FileMode) (*os.File, error), name string, flag int, mode fs.FileMode) (*os.File, error) {
	file, err := open(name, flag|quick, mode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = Is(name, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Read reads a file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return All(file, limit)
}

// All reads an open file to its end. More than limit bytes are an error.
func All(file *os.File, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = &fs.PathError{Op: "read", Path: file.Name(), Err: errors.New("it is larger than " + sizeOf(limit))}
	}
	return text, err
}

// Is returns an error if info is not that of a regular file.
func Is(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is a %s, not a regular file", kindOf(info.Mode()))}
}

func sizeOf(limit int64) string {
	if limit >= 1<<20 {
		return fmt.Sprintf("%d MiB", limit>>20)
	}
	return fmt.Sprintf("%d KiB", limit>>10)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}
