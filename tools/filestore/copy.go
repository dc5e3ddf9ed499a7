package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
)

// Copy gives a new folder all that a file store has kept until now. Another process may go on keeping
// in the first. What was kept is on disk when it returns; nothing is made where nothing was kept. It
// does not copy announced changes, which are those of one session alone.
func Copy(from, to string) error {
	if err := copyPack(from, to); err != nil {
		return fmt.Errorf("copy the file store in %s: %w", from, plainCause(err))
	}
	return nil
}

func copyPack(from, to string) (err error) {
	source, err := regular.OpenWith(os.OpenFile, filepath.Join(from, packName), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	pack, err := os.OpenFile(filepath.Join(to, packName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pack.Close()) }()
	if _, err := io.Copy(pack, source); err != nil { // what was not whole by then is no record of the copy
		return err
	}
	if err := pack.Sync(); err != nil {
		return err
	}
	return errors.Join(syncFolder(to), syncFolder(filepath.Dir(to)))
}
