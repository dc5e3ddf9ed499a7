package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"pawl/internal/words"
)

// Bounds of a path, as in the kernel: symbolic links on the way, and bytes.
const (
	maxLinks = 40
	maxPath  = 4 << 10
)

// Locate turns a path as a model writes it into one inside the folder: relative,
// with slashes, every symbolic link followed. What does not exist (yet) keeps its
// name. Anything outside the folder, also by way of a link, is an error for the
// model. An empty path is the folder itself.
func (w *Workspace) Locate(name string) (string, error) {
	switch {
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("the path %q holds a NUL character", name)
	case len(name) > maxPath:
		return "", fmt.Errorf("the path is too long: %s, at most %s are possible", words.Size(int64(len(name))), words.Size(maxPath))
	}
	rel, ok := w.Inside(name)
	if !ok {
		return "", w.outside(name)
	}
	return w.follow(name, rel)
}

// Inside makes a path relative to the folder by its letters alone, with slashes; false
// where it is outside.
func (w *Workspace) Inside(name string) (string, bool) {
	abs := filepath.Clean(name)
	if !filepath.IsAbs(name) {
		abs = filepath.Join(w.folder, name)
	}
	for _, folder := range []string{w.folder, w.given} {
		if rel, err := filepath.Rel(folder, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Absolute is the whole path of a name, which may lie outside, by its letters alone.
func (w *Workspace) Absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(w.folder, name)
}

// CutFolder takes the folder, by any of its names, off a whole path or pattern that
// begins with it. What begins elsewhere is an error for the model.
func (w *Workspace) CutFolder(name string) (string, error) {
	for _, folder := range []string{w.folder, w.given} {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
			return rest, nil
		}
	}
	return "", w.outside(name)
}

// Stands says that something is there, also what may not be reached.
func (w *Workspace) Stands(name string) bool {
	if name == "" || strings.ContainsRune(name, 0) {
		return false
	}
	rel, ok := w.Inside(name)
	if !ok {
		return exists(w.Absolute(name))
	}
	_, err := w.root.Lstat(filepath.FromSlash(rel))
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.ENAMETOOLONG)
}

// follow walks a path part by part and replaces links by what they point to.
// os.Root does most of this too, but it refuses absolute links that stay inside,
// and a permission rule must see where a path really leads.
func (w *Workspace) follow(name, rel string) (string, error) {
	todo, done, links := strings.Split(rel, "/"), []string{}, 0
	absent := false // nothing stands at done, so nothing below it is a link
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", w.leadsOut(name)
			}
			done, absent = done[:len(done)-1], false
			continue
		}
		done = append(done, part)
		if absent {
			continue
		}
		target, err := w.root.Readlink(filepath.Join(done...))
		if err != nil { // no link, or nothing there: whoever opens it will say
			absent = errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
			continue
		}
		done = done[:len(done)-1]
		if links++; links > maxLinks {
			return "", fmt.Errorf("%s passes too many symbolic links", words.Path(name))
		}
		if filepath.IsAbs(target) {
			inner, ok := w.Inside(target)
			if !ok {
				return "", w.leadsOut(name)
			}
			target, done = inner, nil
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	return path.Join(append([]string{"."}, done...)...), nil
}

func (w *Workspace) outside(name string) error {
	return fmt.Errorf("%s is outside the folder %s: the file tools stay inside it", words.Path(name), w.folder)
}

func (w *Workspace) leadsOut(name string) error {
	return fmt.Errorf("%s leads outside the folder %s through a symbolic link: the file tools stay inside it", words.Path(name), w.folder)
}

// Explain words a file system's refusal about a path for a model, in one line that wraps
// the cause; that nothing is there becomes an AbsentError.
func (w *Workspace) Explain(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &AbsentError{w: w, path: name, err: err}
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be opened: %w", words.Path(name), fs.ErrPermission)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s does not exist: a part of its path is a file: %w", words.Path(name), syscall.ENOTDIR)
	}
	if inner, is := errors.AsType[*fs.PathError](err); is {
		err = inner.Err
	}
	return fmt.Errorf("%s: %w", words.Path(name), err)
}

// AbsentError reports a path where nothing stands. Its text looks for names that
// are like it.
type AbsentError struct {
	w    *Workspace
	path string
	err  error
}

func (e *AbsentError) Error() string {
	return words.Path(e.path) + " does not exist" + e.w.didYouMean(e.path)
}

func (e *AbsentError) Unwrap() error { return e.err }

// Title is how a located path is told to a model, so that the same path comes
// back: in full where it is not below the folder of the run.
func (w *Workspace) Title(path string) string {
	if w.kept {
		path = filepath.Join(w.given, filepath.FromSlash(path))
	}
	return words.Path(path)
}

// Below makes a located path relative to a folder that it is in.
func Below(dir, path string) string {
	if dir == "." {
		return path
	}
	return strings.TrimPrefix(path, dir+"/")
}
