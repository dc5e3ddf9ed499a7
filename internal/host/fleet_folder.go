package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/base"
)

// place is the path of a folder as it was typed.
func place(here, typed string) (string, error) {
	path, err := fileNamed(here, typed, "")
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s: make it first", base.ShortPath(path))
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is no folder", base.ShortPath(path))
	}
	return path, nil
}

// foldersLike lists what a typed folder can be completed to.
func foldersLike(here, typed string) (found []string) {
	path, err := fileNamed(here, typed+"x", "") // a name, so that a slash at the end names what is below
	if err != nil {
		return nil
	}
	begins := strings.TrimSuffix(filepath.Base(path), "x")
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	head := typed[:len(typed)-len(begins)]
	for _, entry := range entries {
		hidden := strings.HasPrefix(entry.Name(), ".") && !strings.HasPrefix(begins, ".")
		if entry.IsDir() && !hidden && strings.HasPrefix(entry.Name(), begins) {
			found = append(found, head+entry.Name()+"/")
		}
	}
	return found
}
