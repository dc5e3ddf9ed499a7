package apply

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"pawl/lifecycle"
	"pawl/tools/place"
)

// change is one file on its way from a state to another.
type change struct {
	path     string
	from, to lifecycle.FileState
	temp     string      // the name of its temporary file
	staged   bool        // the temporary file is there, complete
	blocked  bool        // its folder can be made only when another file has gone
	info     fs.FileInfo // of what was looked at; nil: nothing
}

// inOrder sorts changes so that each can be made: what goes away first, the deepest before the
// folder it is in, and then what comes.
func inOrder(changes []change) {
	slices.SortFunc(changes, func(a, b change) int {
		goes, comes := a.to.Kind == lifecycle.FileNone, b.to.Kind == lifecycle.FileNone
		switch {
		case goes != comes && goes:
			return -1
		case goes != comes:
			return 1
		case goes:
			return strings.Compare(b.path, a.path)
		}
		return strings.Compare(a.path, b.path)
	})
}

// folder is an open folder of files, and what files are put there from.
type folder struct {
	root     *os.Root
	contents Contents
	touched  map[string]bool // folders whose names are not synced yet
}

func newFolder(root *os.Root, contents Contents) folder {
	return folder{root, contents, map[string]bool{}}
}

// stage writes what a file is to hold beside its place, in folders that it makes.
func (f folder) stage(c *change) error {
	if c.to.Kind == lifecycle.FileNone || c.staged {
		return nil
	}
	content, err := f.contents.Read(c.to.Hash)
	if err != nil {
		return err
	}
	dir, err := place.Folder(f.root, path.Dir(c.path), true)
	if err != nil {
		return err
	}
	defer dir.Close()
	if c.to.Kind == lifecycle.FileLink {
		err = dir.Symlink(string(content), c.temp)
	} else {
		err = writeNew(dir, c.temp, content, fs.FileMode(c.to.Mode).Perm(), c.info)
	}
	c.staged = err == nil
	return err
}

// writeNew writes a new file, and returns once its content would survive a power cut.
func writeNew(dir *os.Root, name string, content []byte, mode fs.FileMode, like fs.FileInfo) (err error) {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if like != nil {
		_ = place.OwnerAndMode(f, like) // the mode comes next, and says what is wrong
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Sync()
}

// make makes a change, if what stands there is still what it was.
func (f folder) make(c *change) error {
	if err := f.stage(c); err != nil { // now that nothing stands in the way
		return err
	}
	dir, err := place.Folder(f.root, path.Dir(c.path), false)
	if err != nil {
		return err
	}
	defer dir.Close()
	name := path.Base(c.path)
	if err := place.Unmoved(dir, name, c.info); err != nil {
		return err
	}
	if c.to.Kind == lifecycle.FileNone {
		err = dir.Remove(name)
	} else {
		err = dir.Rename(c.temp, name)
	}
	if err == nil {
		f.touched[path.Dir(c.path)] = true
	}
	return err
}

// sync returns once the names in all folders that were changed would survive a power cut.
func (f folder) sync() error {
	for at := range f.touched {
		if err := f.syncAt(at); err != nil {
			return about(at, err)
		}
		delete(f.touched, at)
	}
	return nil
}

// syncAt syncs a folder or, if it is gone, the one that it was in.
func (f folder) syncAt(at string) error {
	dir, err := place.Folder(f.root, at, false)
	if absent(err) && at != "." {
		return f.syncAt(path.Dir(at))
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	return place.Sync(dir)
}

// prune removes the folders above a path that are empty, but for those that are to stay.
func (f folder) prune(at string, stays func(dir string) bool) {
	for dir := path.Dir(at); dir != "." && !stays(dir); dir = path.Dir(dir) {
		above, err := place.Folder(f.root, path.Dir(dir), false)
		if err != nil {
			if absent(err) {
				continue
			}
			return
		}
		info, err := above.Lstat(path.Base(dir))
		switch {
		case err != nil && absent(err):
			err = nil
		case err == nil && !info.IsDir():
		case err == nil:
			err = above.Remove(path.Base(dir)) // which removes no folder that holds something
			f.touched[path.Dir(dir)] = true
		}
		above.Close()
		if err != nil {
			return
		}
	}
}

// clear removes a temporary file that was not used.
func (f folder) clear(c change) {
	dir, err := place.Folder(f.root, path.Dir(c.path), false)
	if err != nil {
		return
	}
	defer dir.Close()
	_ = dir.Remove(c.temp) // it is there only after a failure
}
