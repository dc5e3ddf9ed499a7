package tools

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
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
// refused, by what it is.
func (w *Workspace) open(path string, flag int) (*os.File, fs.FileInfo, error) {
	if w.Readable != nil {
		if err := w.Readable(path); err != nil {
			return nil, nil, err
		}
	}
	info, err := w.stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, nil, err
	}
	// It may have become a pipe since: O_NONBLOCK keeps the open from waiting.
	f, err := w.root.OpenFile(filepath.FromSlash(path), flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, w.explain(path, err)
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
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
		return snapshot{}, fmt.Errorf("%s has %s, this tool takes files of up to %s: use shell", spell(path), byteCount(info.Size()), byteCount(maxFile))
	}
	return snapshot{info: info, data: data}, nil
}

// regular refuses everything but a regular file.
func regular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder: use list to look into it", spell(path))
	default:
		return fmt.Errorf("%s is a %s: the file tools take regular files only", spell(path), kindOf(mode))
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
