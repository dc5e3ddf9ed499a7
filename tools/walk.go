package tools

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

// walk visits everything below a folder in the order of names, folders before
// what is in them, without following links. It leaves out .git and what ignore
// files name, and folders that cannot be read. A visit may return fs.SkipDir or
// fs.SkipAll. It ends with ctx's error when ctx ends.
func (w *Workspace) walk(ctx context.Context, dir string, visit func(at string, entry fs.DirEntry) error) error {
	err := w.walkIn(ctx, dir, w.rulesAt(dir), visit)
	if errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

func (w *Workspace) walkIn(ctx context.Context, dir string, r rules, visit func(string, fs.DirEntry) error) error {
	entries, err := w.visible(dir, r)
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
			if err := w.walkIn(ctx, at, w.rulesIn(at, r), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// visible lists a folder without what the rules hide.
func (w *Workspace) visible(dir string, r rules) ([]fs.DirEntry, error) {
	entries, err := w.entries(dir)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(entries, func(entry fs.DirEntry) bool {
		return r.hide(path.Join(dir, entry.Name()), entry.IsDir())
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

// folderAt locates a path that must be a folder.
func (w *Workspace) folderAt(name string) (string, error) {
	dir, err := w.locate(name)
	if err != nil {
		return "", err
	}
	info, err := w.stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", &notFolderError{dir}
	}
	return dir, nil
}

// notFolderError reports a path that stands for something else than a folder.
type notFolderError struct{ path string }

func (e *notFolderError) Error() string { return e.path + " is not a folder" }
