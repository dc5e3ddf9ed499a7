package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pawl/export/book"
)

// ErrExists reports that a file of the name is there already. It is left as it was.
var ErrExists = errors.New("the file exists already")

// ToFile gives write a new file and puts it in its place at path when all of it
// is on disk: readable by its owner alone, and whole or not there at all. A file
// that is there is replaced only with force, and only if it is a regular one.
// When ctx ends, writing stops and leaves nothing. A process that is killed leaves a
// hidden file, which the next export into that folder removes. Errors are one line.
func ToFile(ctx context.Context, path string, force bool, write func(io.Writer) error) error {
	fail := func(err error) error { return fmt.Errorf("write %s: %w", path, plain(err)) }
	if err := vacant(path, force); err != nil { // said before the work, not after it
		return fail(err)
	}
	file, err := scratch(filepath.Dir(path))
	if err != nil {
		return fail(err)
	}
	defer func() { // whatever happens, a panic of write included; after the rename there is no such name
		_ = file.Close()
		_ = os.Remove(file.Name())
	}()
	err = write(book.Until(ctx, file))
	if ctx.Err() != nil { // that is why, whatever a read that it broke off said
		err = context.Cause(ctx)
	}
	if err != nil {
		return fail(err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fail(err)
	}
	if err := place(file.Name(), path, force); err != nil {
		return fail(err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// plain takes from an error the name of the hidden file, which means nothing to people.
func plain(err error) error {
	var about *fs.PathError
	if !errors.As(err, &about) || !strings.HasPrefix(filepath.Base(about.Path), scratchName) {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return noFolder(filepath.Dir(about.Path))
	}
	return about.Err
}

// noFolder is a folder that is not there: an fs.ErrNotExist that says of what.
type noFolder string

func (f noFolder) Error() string {
	return fmt.Sprintf("there is no folder %s: make it first", string(f))
}
func (noFolder) Is(target error) bool { return target == fs.ErrNotExist }

// vacant says whether a file may be put at path.
func vacant(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("there is a folder of that name")
	case !info.Mode().IsRegular():
		return errors.New("what is there is not a regular file: to write to it, send the export to standard output")
	case !force:
		return fmt.Errorf("%w: choose another name, or replace it with --force", ErrExists)
	}
	return nil
}

// place gives a finished file its name. A link never replaces what another
// program put there meanwhile, as a rename would; where the file system has no
// links, a last look must do.
func place(from, to string, force bool) error {
	if !force {
		err := os.Link(from, to)
		if err == nil {
			return nil // the other name is removed with the temporary file
		}
		if errors.Is(err, fs.ErrExist) {
			return vacant(to, false)
		}
		if err := vacant(to, false); err != nil {
			return err
		}
	}
	return os.Rename(from, to)
}

// syncFolder puts a new name on disk. Some file systems cannot, and the file
// itself is safe: that is no failure of an export.
func syncFolder(path string) {
	folder, err := os.Open(path)
	if err != nil {
		return
	}
	_ = folder.Sync()
	_ = folder.Close()
}
