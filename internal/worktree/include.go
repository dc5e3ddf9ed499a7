package worktree

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"pawl/internal/regular"
	"pawl/internal/words"
)

// Included are the ignored files that a new worktree was given, because its checkout's
// .worktreeinclude names them.
type Included struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"` // of those that were copied; a clone takes none
	// Left are files that it was not given, since they are too many or too large.
	Left int `json:"left,omitempty"`
}

// Limits of what a worktree is given of ignored files.
const (
	mostIncluded      = 2 << 30 // bytes that are copied
	mostIncludedFiles = 100_000
)

// Says is a line about them for people and models; empty: there are none.
func (i Included) Says() string {
	switch {
	case i == Included{}:
		return ""
	case i.Left > 0:
		return fmt.Sprintf("%s that .worktreeinclude names %s here, and %d not: they are more than %s or %d files",
			words.Count(i.Files, "ignored file"), areOrIs(i.Files), i.Left, words.Size(mostIncluded), mostIncludedFiles)
	}
	return fmt.Sprintf("%s that .worktreeinclude names %s here", words.Count(i.Files, "ignored file"), areOrIs(i.Files))
}

func areOrIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Include copies files of a checkout, by their names with slashes, to another folder: as clones, where the file system makes them.
// What is neither a regular file nor a link stays behind, and so does what is gone by now.
func Include(ctx context.Context, top, tree string, names []string) (done Included, err error) {
	from, err := regular.OpenRoot(top)
	if err != nil {
		return done, fmt.Errorf("bring ignored files to the worktree: %w", err)
	}
	defer from.Close()
	to, err := regular.OpenRoot(tree)
	if err != nil {
		return done, fmt.Errorf("bring ignored files to the worktree: %w", err)
	}
	defer to.Close()
	for _, name := range names {
		if ctx.Err() != nil {
			return done, context.Cause(ctx)
		}
		info, err := from.Lstat(name)
		switch {
		case err != nil:
			continue
		case done.Files >= mostIncludedFiles:
			done.Left++
			continue
		}
		if err := to.MkdirAll(path.Dir(name), 0o755); err != nil { //nolint:gosec // as git makes folders
			return done, fmt.Errorf("bring %s to the worktree: %w", name, err)
		}
		if err := includeOne(from, to, name, info, &done); err != nil {
			return done, fmt.Errorf("bring %s to the worktree: %w", name, err)
		}
	}
	return done, nil
}

func includeOne(from, to *os.Root, name string, info fs.FileInfo, done *Included) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := from.Readlink(name)
		if err == nil {
			done.Files++
			err = to.Symlink(target, name)
		}
		return err
	}
	if regular.Is(name, info) != nil {
		return nil
	}
	source, err := regular.OpenIn(from, name)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer copied.Close()
	if clone(copied, source) == nil {
		done.Files++
		return copied.Close()
	}
	if done.Bytes+info.Size() > mostIncluded {
		done.Left++
		_ = copied.Close()
		return to.Remove(name)
	}
	n, err := io.Copy(copied, io.LimitReader(source, mostIncluded-done.Bytes))
	done.Files, done.Bytes = done.Files+1, done.Bytes+n
	if err != nil {
		return err
	}
	return copied.Close()
}
