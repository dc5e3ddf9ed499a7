package export

import (
	"io/fs"
	"os"
	"time"

	"pawl/internal/regular"
	"pawl/internal/system"
)

// scratchName is how the hidden file begins that an export is written to until it is
// whole.
const scratchName = ".pawl-export-"

// scratchAge is how old a hidden file is at least before it is taken for left over: it is
// locked by then if its writer lives.
const scratchAge = time.Minute

// scratch makes the file that an export is written to, readable by its owner alone and
// locked for as long as it is open. First it removes what a killed process left.
func scratch(folder string) (*os.File, error) {
	sweep(folder, time.Now())
	file, err := os.CreateTemp(folder, scratchName+"*") // 0600
	if err != nil {
		return nil, err
	}
	_ = system.LockFile(file, system.LockNow) // some file systems have no locks: then nothing is swept there either
	return file, nil
}

// sweep removes the hidden files that nobody writes any more. What it cannot tell stays.
func sweep(folder string, now time.Time) {
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return
	}
	defer root.Close()
	left, _ := fs.Glob(root.FS(), scratchName+"*") // the pattern is valid
	for _, name := range left {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < scratchAge {
			continue
		}
		file, err := regular.OpenIn(root, name)
		if err != nil {
			continue
		}
		if system.LockFile(file, system.LockNow) == nil {
			_ = root.Remove(name)
		}
		_ = file.Close()
	}
}
