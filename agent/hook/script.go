package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
)

// MaxScript is the largest script of a project's hook, in bytes.
const MaxScript = 1 << 20

// maxFiles is how many files a folder of scripts may have.
const maxFiles = 1000

// Digest is the SHA-256 of a script, or of all that is in a folder, in hex. It does not block on files
// that are not regular.
func Digest(path string) (string, error) {
	if is, err := os.Stat(path); err == nil && is.IsDir() {
		return digestFolder(path)
	}
	return digestFile(path)
}

// digestFolder follows links to files, and takes one to a folder for what it says.
func digestFolder(folder string) (string, error) {
	sum, files := sha256.New(), 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if files++; files > maxFiles {
			return fmt.Errorf("it has more than %d files", maxFiles)
		}
		one, failed := digestFile(path)
		if failed != nil {
			if one, err = os.Readlink(path); err != nil {
				return failed
			}
		}
		name, _ := filepath.Rel(folder, path) // it is below
		fmt.Fprintf(sum, "%q %s\n", name, one)
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func digestFile(path string) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	switch n, err := io.Copy(sum, io.LimitReader(file, MaxScript+1)); {
	case err != nil:
		return "", err
	case n > MaxScript:
		return "", fmt.Errorf("it is larger than %d KiB", MaxScript>>10)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
