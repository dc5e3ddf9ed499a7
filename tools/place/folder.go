package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// ErrMoved reports a file or folder that was changed by someone else in the
// moment in which it was to be written.
var ErrMoved = errors.New("it was changed by another program just now: read it again")

// ErrNoFolder reports that something else stands where a folder is to be.
var ErrNoFolder = errors.New("not a folder")

// Folder opens a folder below a root, at a path with slashes, part by part, none of which may be a
// link, and makes what is missing, if that is wanted. A path that was located a moment ago has no
// links: one that shows up now was put there to lead to another place. Close it.
func Folder(root *os.Root, dir string, missing bool) (*os.Root, error) {
	at, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(dir, "/") {
		next, err := openPart(at, part, missing)
		at.Close()
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func openPart(at *os.Root, part string, missing bool) (*os.Root, error) {
	before, err := at.Lstat(part)
	if missing && errors.Is(err, fs.ErrNotExist) {
		if err := at.Mkdir(part, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		before, err = at.Lstat(part)
	}
	if err != nil {
		return nil, err
	}
	if before.Mode().IsRegular() {
		return nil, syscall.ENOTDIR
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s is a %s, %w", part, KindOf(before.Mode()), ErrNoFolder)
	}
	next, err := at.OpenRoot(part)
	if err != nil {
		return nil, err
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, ErrMoved
	}
	return next, nil
}

// Unmoved returns ErrMoved unless what stands at a name is still what was planned for, as Lstat gave
// it then; nil for nothing.
func Unmoved(dir *os.Root, name string, old fs.FileInfo) error {
	now, err := dir.Lstat(name)
	switch {
	case old == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case old == nil || err != nil:
		return ErrMoved
	case !os.SameFile(old, now) || old.Mode() != now.Mode() || old.Size() != now.Size() || !old.ModTime().Equal(now.ModTime()):
		return ErrMoved
	}
	return nil
}

// Sync brings the names in a folder to the disk.
func Sync(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	// Some file systems cannot sync a folder: the file itself is safe.
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// OwnerAndMode gives a file the owner and the mode of another, where the system allows. The owner first: a
// change of owner takes mode bits away.
func OwnerAndMode(f *os.File, like fs.FileInfo) error {
	if user, group, known := ownerOf(like); known {
		// Only root may give files away; for others it is theirs already.
		_ = f.Chown(user, group)
	}
	return f.Chmod(like.Mode())
}

// KindOf names what is neither a file nor a folder.
func KindOf(mode fs.FileMode) string {
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
