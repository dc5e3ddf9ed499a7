package git

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"pawl/internal/regular"
)

// Limits of the search for nested repositories.
const (
	longestIndex = 256 << 20 // bytes
	mostFiles    = 500_000   // files of a worktree
)

// Submodules reports whether git may enter another repository to tell what has changed in the
// checkout. It does so for each one in the index, and starts the programs of its settings, which
// Look does not read. True also if the index cannot be read here.
func (c Checkout) Submodules() bool {
	if c.Top == "" {
		return false
	}
	index, err := regular.Read(filepath.Join(gitFolder(filepath.Join(c.Top, ".git")), "index"), longestIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || c.otherHash || namesRepository(index)
}

// namesRepository reports whether an index has an entry for another repository, or one that is not in
// the worktree: git reads those too. Whatever is not understood counts as one, and so does an index split
// over several files.
func namesRepository(index []byte) bool {
	rest, ok := eachEntry(index, func(e indexEntry) bool {
		kind := e.mode & typeOfFile
		return (kind == modeOfRegular || kind == modeOfLink) && inWorktree(e.name)
	})
	return !ok || extensionsDecide(rest)
}

// inWorktree reports whether a name is one that git itself would put into an index.
func inWorktree(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// extensionsDecide reports whether after the entries comes an extension that a reader must
// understand, whose name begins with a lower-case letter: more entries may be in another file.
func extensionsDecide(rest []byte) bool {
	for len(rest) > 0 {
		if len(rest) < 8 || rest[0] < 'A' || rest[0] > 'Z' {
			return true
		}
		size := uint64(binary.BigEndian.Uint32(rest[4:]))
		if size > uint64(len(rest)-8) {
			return true
		}
		rest = rest[8+size:]
	}
	return false
}

// findNested returns an error that names a repository inside a worktree, which git add would
// put into the index and enter from then on, or says why this is not known.
func findNested(worktree string) error {
	looked := 0
	return filepath.WalkDir(worktree, func(path string, entry fs.DirEntry, err error) error {
		looked++
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was removed meanwhile
			return nil
		case err != nil:
			return fmt.Errorf("look for repositories in the worktree: %w", err)
		case looked > mostFiles:
			return errors.New("the worktree has too many files to look for repositories among them")
		case strings.EqualFold(entry.Name(), ".git") && path != filepath.Join(worktree, ".git"):
			return fmt.Errorf("there is another repository in it, in %s", filepath.Dir(path))
		}
		return nil
	})
}
