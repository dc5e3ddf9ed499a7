package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"pawl/internal/words"
)

// errMoved reports a file or folder that was changed by someone else in the
// moment in which it was to be written.
var errMoved = errors.New("it was changed by another program just now: read it again")

// save puts data in the place of what stands at a located path, whole or not at
// all: a temporary file beside it, on disk before it takes the name. old is what
// was there when the change was planned, nil for nothing; what is there now must
// be the same. Mode and, where the system allows, owner of an old file stay.
// Missing folders are made.
func (w *Workspace) save(at string, data []byte, old fs.FileInfo, kept *keeping) error {
	dir, err := w.openFolderAt(path.Dir(at), true)
	if err != nil {
		return fmt.Errorf("write %s: %w", words.Path(at), err)
	}
	defer dir.Close()
	if err := replace(dir, path.Base(at), data, old, kept); err != nil {
		return fmt.Errorf("write %s: %w", words.Path(at), err)
	}
	return nil
}

// openFolderAt opens a folder part by part, none of which may be a link, and makes what is
// missing, if that is wanted. A path that was located a moment ago has no links: one
// that shows up now was put there to lead to another place.
func (w *Workspace) openFolderAt(dir string, missing bool) (*os.Root, error) {
	at, err := w.root.OpenRoot(".")
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
		return nil, fmt.Errorf("%s is a %s, not a folder", part, KindOf(before.Mode()))
	}
	next, err := at.OpenRoot(part)
	if err != nil {
		return nil, err
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) {
		next.Close()
		return nil, errMoved
	}
	return next, nil
}

func replace(dir *os.Root, name string, data []byte, old fs.FileInfo, kept *keeping) (err error) {
	mode := fs.FileMode(0o666) // of a new file, less what the umask takes
	if old != nil {
		mode = 0o600 // until it has the old file's mode
	}
	temporary := ".pawl-" + rand.Text() + ".tmp"
	f, err := dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			_ = dir.Remove(temporary) // the first error is the one that tells why
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if old != nil {
		if err = copyOwnerAndMode(f, old); err != nil {
			return err
		}
	}
	info, err := syncBoth(f, kept)
	if err != nil {
		return err
	}
	if err = unmoved(dir, name, old); err != nil {
		return err
	}
	kept.announce(uint32(info.Mode().Perm()))
	if err = dir.Rename(temporary, name); err != nil {
		return err
	}
	kept.changed()
	wait := kept.syncAfter()
	defer wait()
	return syncFolder(dir)
}

// syncBoth brings a file and what is kept of the one that it replaces to the disk, side by side.
func syncBoth(f *os.File, kept *keeping) (fs.FileInfo, error) {
	wait := kept.syncBefore()
	defer wait()
	if err := f.Sync(); err != nil {
		return nil, err
	}
	return f.Stat()
}

// copyOwnerAndMode gives a file the owner and the mode of another. The owner first: a
// change of owner takes mode bits away.
func copyOwnerAndMode(f *os.File, like fs.FileInfo) error {
	if user, group, known := ownerOf(like); known {
		// Only root may give files away; for others it is theirs already.
		_ = f.Chown(user, group)
	}
	return f.Chmod(like.Mode())
}

// unmoved reports whether what stands at a name is still what was planned for.
func unmoved(dir *os.Root, name string, old fs.FileInfo) error {
	now, err := dir.Lstat(name)
	switch {
	case old == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case old == nil || err != nil:
		return errMoved
	case !os.SameFile(old, now) || old.Size() != now.Size() || !old.ModTime().Equal(now.ModTime()):
		return errMoved
	}
	return nil
}

func syncFolder(dir *os.Root) error {
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
