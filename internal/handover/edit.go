package handover

import (
	"os"
	"path/filepath"
	"strings"
)

// What a front is asked to edit lies in a folder below Pawl's folder for state whose name begins with
// EditFolder, under the name EditFile.
const (
	EditFolder = "editor-"
	EditFile   = "message.md"
)

// Editable reports whether a host may ask for a file to be edited: one that hosts make for that, in
// the folder for state. A front opens no other.
func Editable(state, path string) bool {
	folder := filepath.Dir(path)
	if filepath.Clean(path) != path || filepath.Base(path) != EditFile || !strings.HasPrefix(filepath.Base(folder), EditFolder) {
		return false
	}
	file, err := os.Lstat(path)
	if err != nil || !file.Mode().IsRegular() {
		return false
	}
	if in, err := os.Lstat(folder); err != nil || !in.IsDir() {
		return false
	}
	around, err := os.Stat(filepath.Dir(folder))
	if err != nil {
		return false
	}
	own, err := os.Stat(state)
	return err == nil && os.SameFile(own, around)
}
