package workspace

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"pawl/internal/words"
	"pawl/tools/place"
)

// MaxFile is the largest file that is held in memory as a whole: to be edited,
// replaced or searched.
const MaxFile = 10 << 20

// Snapshot is a regular file, whole, as it was at one moment.
type Snapshot struct {
	Info fs.FileInfo
	Data []byte
}

func (s Snapshot) sum() digest { return sha256.Sum256(s.Data) }

// Open opens a regular file at a located path, for reading or, with os.O_RDWR,
// to find out that it may be written. It never waits: what is no regular file is
// refused, by what it is. Nor is it led to another file, inside the folder or out of
// it, by a link that was put into the path after it was located.
func (w *Workspace) Open(at string, flag int) (*os.File, fs.FileInfo, error) {
	dir, err := w.openFolderAt(path.Dir(at), false)
	if err != nil {
		return nil, nil, w.Explain(at, err)
	}
	defer dir.Close()
	return w.openIn(dir, at, path.Base(at), flag)
}

// OpenInside is Open for reading in a search through thousands of files: a link that is put
// into the path at that moment leads it to another file inside the folder. Ask At before what was read
// is shown.
func (w *Workspace) OpenInside(at string) (*os.File, fs.FileInfo, error) {
	return w.openIn(w.root, at, filepath.FromSlash(at), os.O_RDONLY)
}

// At reports whether a file that OpenInside opened is the one at its located path: no link led to it,
// from a path that may be read to one that may not.
func (w *Workspace) At(at string, opened fs.FileInfo) bool {
	dir, err := w.openFolderAt(path.Dir(at), false)
	if err != nil {
		return false
	}
	defer dir.Close()
	info, err := dir.Lstat(path.Base(at))
	return err == nil && os.SameFile(info, opened)
}

func (w *Workspace) openIn(dir *os.Root, at, name string, flag int) (*os.File, fs.FileInfo, error) {
	if w.Readable != nil {
		if err := w.Readable(at); err != nil {
			return nil, nil, err
		}
	}
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, w.Explain(at, err)
	}
	if err := onlyRegular(at, before); err != nil {
		return nil, nil, err
	}
	// It may have become a pipe since: O_NONBLOCK keeps the open from waiting.
	f, err := dir.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, w.Explain(at, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(before, info):
		err = w.Explain(at, place.ErrMoved)
	default:
		err = onlyRegular(at, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// load reads a whole regular file of at most maxFile bytes.
func (w *Workspace) load(path string, flag int) (Snapshot, error) {
	f, info, err := w.Open(path, flag)
	if err != nil {
		return Snapshot{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return Snapshot{}, w.Explain(path, err)
	}
	if len(data) > MaxFile {
		return Snapshot{}, fmt.Errorf("%s has %s, this tool takes files of up to %s: use shell", words.Path(path), words.Size(info.Size()), words.Size(MaxFile))
	}
	return Snapshot{Info: info, Data: data}, nil
}

// onlyRegular refuses everything but a regular file.
func onlyRegular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder: use list to look into it", words.Path(path))
	default:
		return fmt.Errorf("%s is a %s: the file tools take regular files only", words.Path(path), place.KindOf(mode))
	}
}

// Lstat says what stands at a located path, without following a link.
func (w *Workspace) Lstat(path string) (fs.FileInfo, error) {
	info, err := w.root.Lstat(filepath.FromSlash(path))
	if err != nil {
		return nil, w.Explain(path, err)
	}
	return info, nil
}

// Readlink is where the link at a located path leads, in its own words; empty where
// that cannot be read.
func (w *Workspace) Readlink(path string) string {
	target, _ := w.root.Readlink(filepath.FromSlash(path))
	return target
}
