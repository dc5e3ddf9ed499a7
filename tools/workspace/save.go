package workspace

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path"

	"pawl/internal/words"
	"pawl/tools/place"
)

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

func (w *Workspace) openFolderAt(dir string, missing bool) (*os.Root, error) {
	return place.Folder(w.root, dir, missing)
}

func replace(dir *os.Root, name string, data []byte, old fs.FileInfo, kept *keeping) (err error) {
	mode := fs.FileMode(0o666) // of a new file, less what the umask takes
	if old != nil {
		mode = 0o600 // until it has the old file's mode
	}
	temporary := ".pawl-" + rand.Text() + ".tmp"
	kept.announce(temporary)
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
		if err = place.OwnerAndMode(f, old); err != nil {
			return err
		}
	}
	info, err := syncBoth(f, kept)
	if err != nil {
		return err
	}
	if err = place.Unmoved(dir, name, old); err != nil {
		return err
	}
	kept.ready(info.Mode())
	if err = dir.Rename(temporary, name); err != nil {
		return err
	}
	kept.changed()
	wait := kept.syncAfter()
	defer wait()
	return place.Sync(dir)
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
