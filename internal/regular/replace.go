package regular

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file that only its owner can read, in the place of one that may be there:
// after a crash there is the old one or this one. What it writes to until then is named
// .NAME.* beside it.
func Replace(path string, text []byte) error {
	next, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), path)
	}
	if err != nil {
		_ = os.Remove(next.Name()) // the first error says what is wrong
	}
	return err
}
