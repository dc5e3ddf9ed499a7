package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"pawl/internal/regular"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/place"
)

// LeftError names files that hold neither what was put in place nor what stood there before, because
// somebody changed them meanwhile. They are left as they are.
type LeftError struct{ Files []string }

func (e *LeftError) Error() string {
	names := make([]string, 0, maxNamed+1)
	for _, file := range e.Files[:min(len(e.Files), maxNamed)] {
		names = append(names, words.Path(file))
	}
	if more := len(e.Files) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "left as they are, because somebody else has changed them meanwhile: " + words.List(names)
}

// maxNamed bounds the files that one line names.
const maxNamed = 8

// Recover finishes what a killed process left in a journal folder: recorded says whether the
// operation is in the log; if not, it is undone. undone says that there was something to undo. Files
// that hold neither what was put in place nor what stood there before are left, and err names them
// (a *LeftError): the journal is gone all the same. After any other error it stays, and Recover may
// be called again. Without a journal it does nothing.
func Recover(ctx context.Context, journal string, contents Contents, recorded func(lifecycle.OperationID) (bool, error)) (undone bool, err error) {
	j, found, err := readJournal(journal)
	if err != nil || !found {
		return false, err
	}
	done, err := recorded(j.Operation)
	if err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if done {
		return false, removeJournal(journal)
	}
	root, err := regular.OpenRoot(j.Folder)
	if err != nil {
		return false, fmt.Errorf("open folder %s: %w", j.Folder, plainCause(err))
	}
	defer root.Close()
	left, err := undo(newFolder(root, contents), j)
	if err != nil {
		return false, fmt.Errorf("undo in %s what was cut off: %w", j.Folder, err)
	}
	if err := removeJournal(journal); err != nil {
		return true, err
	}
	if len(left) > 0 {
		return true, &LeftError{Files: left}
	}
	return true, nil
}

// undo puts every file back that holds what was to be put in place, and returns those that hold
// neither that nor what stood there before.
func undo(f folder, j journaled) (left []string, err error) {
	for i, file := range j.Files {
		f.clear(change{path: file.Path, temp: j.temporary(i)})
	}
	for i, file := range slices.Backward(j.Files) {
		is, failed := f.putBack(file, j, i)
		switch {
		case failed == nil && is:
		case temporary(failed):
			err = cmp.Or(err, about(file.Path, failed))
		default:
			left = append(left, file.Path)
		}
		reach("apply.undone")
	}
	if err != nil {
		return left, err
	}
	for _, file := range j.Files {
		f.prune(file.Path, j.stood)
	}
	f.restoreFolders(j)
	slices.Sort(left)
	return left, f.sync()
}

// temporary reports an error that may be gone when it is tried again: the system's, such as a full
// disk. What somebody has put in a file's place stays there.
func temporary(err error) bool {
	var system syscall.Errno
	return errors.As(err, &system) && !absent(err)
}

// putBack makes one file what it was, and reports whether it is.
func (f folder) putBack(file File, j journaled, i int) (is bool, err error) {
	now, err := look(f.root, file.Path)
	switch {
	case err != nil:
		return false, err
	case now.folder: // which a file was to take the place of
		return file.Expect.Kind == lifecycle.FileNone && j.stood(file.Path), nil
	case now.Same(file.Expect):
		return true, nil
	case !now.Same(file.Want):
		return false, nil
	}
	if file.Want.Kind == lifecycle.FileNone {
		f.makeFolders(file.Path, j)
	}
	c := change{path: file.Path, from: file.Want, to: file.Expect, temp: j.temporary(i), info: now.info}
	if err := f.make(&c); err != nil {
		f.clear(c)
		return false, err
	}
	f.prune(file.Path, j.stood)
	return true, nil
}

// makeFolders makes the folders above a path that stood there before, with their modes.
func (f folder) makeFolders(at string, j journaled) {
	var missing []string
	for dir := path.Dir(at); dir != "."; dir = path.Dir(dir) {
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		above, err := place.Folder(f.root, path.Dir(dir), false)
		if err != nil {
			return // whoever puts the file there will say why
		}
		if above.Mkdir(path.Base(dir), 0o700) == nil {
			if mode, stood := j.Folders[dir]; stood {
				_ = above.Chmod(path.Base(dir), fs.FileMode(mode)) // as far as it can
			}
		}
		above.Close()
	}
}

// restoreFolders makes the folders again that went because they were empty.
func (f folder) restoreFolders(j journaled) {
	for _, file := range j.Files {
		if !strings.Contains(file.Path, "/") {
			continue
		}
		if j.stood(path.Dir(file.Path)) {
			f.makeFolders(file.Path, j)
		}
	}
}
