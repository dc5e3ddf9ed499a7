package outputs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
)

// Copy gives a new folder all results that are kept in another one: the same files under a second
// name, where the file system has such names, else copies. Nothing is made where none is kept.
func Copy(from, to string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	for _, entry := range entries {
		if err == nil && entry.Type().IsRegular() {
			err = copyOne(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("copy the kept outputs in %s: %w", from, plainCause(err))
	}
	return nil
}

// copyOne needs no second file as a rule: a kept result is written once, and never again.
func copyOne(from, to string) (err error) {
	if os.Link(from, to) == nil {
		return nil
	}
	source, err := regular.OpenWith(os.OpenFile, from, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) { // it could not be written, and was removed meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, source)
	return errors.Join(err, file.Close())
}
