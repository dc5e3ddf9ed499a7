package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"
)

// Walk visits everything below a folder, at its located path, in the order of names, folders before
// what is in them, without following links. It leaves out .git and what ignore
// files name, and folders that cannot be read. A visit may return fs.SkipDir or
// fs.SkipAll. It ends with ctx's error when ctx ends.
func (w *Workspace) Walk(ctx context.Context, dir string, visit func(at string, entry fs.DirEntry) error) error {
	err := w.walkIn(ctx, dir, w.RulesAt(dir), visit)
	if errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

func (w *Workspace) walkIn(ctx context.Context, dir string, r Rules, visit func(string, fs.DirEntry) error) error {
	entries, err := w.Visible(dir, r)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := path.Join(dir, entry.Name())
		switch err := visit(at, entry); {
		case errors.Is(err, fs.SkipDir):
			continue
		case err != nil:
			return err
		}
		if entry.IsDir() {
			if err := w.walkIn(ctx, at, w.RulesIn(at, r), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// Visible lists a folder, at its located path, in the order of names, without what the
// rules hide.
func (w *Workspace) Visible(dir string, r Rules) ([]fs.DirEntry, error) {
	entries, err := w.entries(dir)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		return r.Hides(path.Join(dir, entry.Name()), entry.IsDir())
	}), nil
}

// entries lists a folder at a located path in the order of names.
func (w *Workspace) entries(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.OpenFile(filepath.FromSlash(dir), os.O_RDONLY|onlyFolder|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// LocateFolder locates a path that must be a folder: what is something else is a
// NotFolderError.
func (w *Workspace) LocateFolder(name string) (string, error) {
	dir, err := w.Locate(name)
	if err != nil {
		return "", err
	}
	info, err := w.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", &NotFolderError{dir}
	}
	return dir, nil
}

// NotFolderError reports a path that stands for something else than a folder.
type NotFolderError struct{ path string }

func (e *NotFolderError) Error() string { return e.path + " is not a folder" }
