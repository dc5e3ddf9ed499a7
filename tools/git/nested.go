package git

import (
	"bytes"
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

// Sizes in git's index, whose format is in gitformat-index(5).
const (
	hashSize    = 20
	headSize    = 12
	modeAt      = 24
	flagsAt     = 40 + hashSize
	extended    = 0x4000 // flag: two more bytes of flags follow
	modeOfLinks = 0o160000
)

// namesRepository reports whether an index has an entry for another repository. Whatever is not
// understood counts as one, and so does an index split over several files.
func namesRepository(index []byte) bool {
	if len(index) < headSize+hashSize || string(index[:4]) != "DIRC" {
		return true
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return true
	}
	rest := index[headSize : len(index)-hashSize]
	for range count {
		if len(rest) < flagsAt+2 || binary.BigEndian.Uint32(rest[modeAt:])&0o170000 == modeOfLinks {
			return true
		}
		name := flagsAt + 2
		if binary.BigEndian.Uint16(rest[flagsAt:])&extended != 0 {
			name += 2
		}
		size, ok := entrySize(rest, name, version)
		if !ok {
			return true
		}
		rest = rest[size:]
	}
	return extensionsDecide(rest)
}

// entrySize is the size of the first entry, whose name begins at name.
func entrySize(rest []byte, name int, version uint32) (size int, ok bool) {
	if version == 4 { // the name begins with how much of the previous one is removed
		for name < len(rest) && rest[name]&0x80 != 0 {
			name++
		}
		name++
	}
	if name >= len(rest) {
		return 0, false
	}
	length := bytes.IndexByte(rest[name:], 0)
	if length < 0 {
		return 0, false
	}
	if size = name + length + 1; version < 4 {
		size = (size + 7) &^ 7
	}
	return size, size <= len(rest)
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
