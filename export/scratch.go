package export

import (
	"os"
	"path/filepath"
	"strings"
	"time"
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
	_ = lock(file) // some file systems have no locks: then nothing is swept there either
	return file, nil
}

// sweep removes the hidden files that nobody writes any more. What it cannot tell stays.
func sweep(folder string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(escaped(folder), scratchName+"*"))
	for _, path := range left {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < scratchAge {
			continue
		}
		file, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
		if err != nil {
			continue
		}
		if lock(file) == nil {
			_ = os.Remove(path)
		}
		_ = file.Close()
	}
}

// escaped is a path that a pattern takes as it stands.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
