package tools

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
)

// maxFile is the largest file that is held in memory as a whole: to be edited,
// replaced or searched.
const maxFile = 10 << 20

// snapshot is a file as it was at one moment.
type snapshot struct {
	info fs.FileInfo
	data []byte
}

func (s snapshot) sum() digest { return sha256.Sum256(s.data) }

// open opens a regular file at a located path, for reading or, with os.O_RDWR,
// to find out that it may be written. It never waits: what is no regular file is
// refused, by what it is. Nor is it led to another file, inside the folder or out of
// it, by a link that was put into the path after it was located.
func (w *Workspace) open(at string, flag int) (*os.File, fs.FileInfo, error) {
	dir, err := w.pin(path.Dir(at), false)
	if err != nil {
		return nil, nil, w.explain(at, err)
	}
	defer dir.Close()
	return w.openIn(dir, at, path.Base(at), flag)
}

// openQuickly is open for a search through thousands of files: a link that is put
// into the path at that moment leads it to another file inside the folder.
func (w *Workspace) openQuickly(at string) (*os.File, fs.FileInfo, error) {
	return w.openIn(w.root, at, filepath.FromSlash(at), os.O_RDONLY)
}

func (w *Workspace) openIn(dir *os.Root, at, name string, flag int) (*os.File, fs.FileInfo, error) {
	if w.Readable != nil {
		if err := w.Readable(at); err != nil {
			return nil, nil, err
		}
	}
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, nil, w.explain(at, err)
	}
	if err := onlyRegular(at, before); err != nil {
		return nil, nil, err
	}
	// It may have become a pipe since: O_NONBLOCK keeps the open from waiting.
	f, err := dir.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, w.explain(at, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(before, info):
		err = w.explain(at, errMoved)
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
func (w *Workspace) load(path string, flag int) (snapshot, error) {
	f, info, err := w.open(path, flag)
	if err != nil {
		return snapshot{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return snapshot{}, w.explain(path, err)
	}
	if len(data) > maxFile {
		return snapshot{}, fmt.Errorf("%s has %s, this tool takes files of up to %s: use shell", words.Path(path), words.Size(info.Size()), words.Size(maxFile))
	}
	return snapshot{info: info, data: data}, nil
}

// onlyRegular refuses everything but a regular file.
func onlyRegular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder: use list to look into it", words.Path(path))
	default:
		return fmt.Errorf("%s is a %s: the file tools take regular files only", words.Path(path), kindOf(mode))
	}
}

// kindOf names what is neither a file nor a folder.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
