package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// read reads a file whole. It follows links, as git does, and never waits: what is no
// regular file is an error.
func read(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, longestFile+1))
	if err != nil {
		return "", err
	}
	if len(text) > longestFile {
		return "", fmt.Errorf("it has more than %d MiB", longestFile>>20)
	}
	return string(text), nil
}

// there says whether something is, whatever it is.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
