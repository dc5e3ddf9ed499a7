package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/system"
)

// Program is the file of an installed program.
type Program struct {
	Path    string   // no link
	Environ []string // what a new one is started with once, to see whether it runs here
}

// Previous is where the program that was replaced last is kept.
func (p Program) Previous() string { return system.Previous(p.Path) }

// Install puts an offer in the place of the program, which is kept as Previous. After an error, or a
// crash at any moment, the program is the one that was there.
func (p Program) Install(ctx context.Context, from *Source, o Offer) error {
	if err := p.writable(); err != nil {
		return err
	}
	text, err := from.program(ctx, o)
	if err != nil {
		return err
	}
	next, err := p.beside(text)
	if err != nil {
		return fmt.Errorf("the new program was not written: %w", err)
	}
	defer func() { _ = os.Remove(next) }() // after a success it has another name
	version, err := versionOf(ctx, next, p.Environ)
	if err == nil && version != o.Version {
		err = fmt.Errorf("it says that it is %s", version)
	}
	if err != nil {
		return fmt.Errorf("the program of %s is not taken: %w", o.archive, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.replaceBy(next)
}

// Rollback exchanges the program with Previous, and returns the version that is back. Once more
// exchanges them again.
func (p Program) Rollback(ctx context.Context) (version string, err error) {
	if _, err := os.Lstat(p.Previous()); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no program to go back to: %s is not there", p.Previous())
	}
	version, err = versionOf(ctx, p.Previous(), p.Environ)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Previous(), err)
	}
	next := p.named("back")
	_ = os.Remove(next) // a crash may have left one
	if err := os.Link(p.Previous(), next); err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(next) }() // as in Install
	return version, p.replaceBy(next)
}

// replaceBy makes the program Previous and another file, in the same folder, the program.
func (p Program) replaceBy(next string) error {
	kept := p.named("kept")
	_ = os.Remove(kept) // a crash may have left one
	if err := os.Link(p.Path, kept); err != nil {
		return fmt.Errorf("the old program cannot be kept: %w", err)
	}
	if err := os.Rename(kept, p.Previous()); err != nil {
		_ = os.Remove(kept) // the first error says what is wrong
		return fmt.Errorf("the old program cannot be kept: %w", err)
	}
	if err := os.Rename(next, p.Path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(p.Path))
	return nil
}

// named is the path of a file of ours beside the program, which nobody looks for.
func (p Program) named(what string) string {
	return filepath.Join(filepath.Dir(p.Path), "."+filepath.Base(p.Path)+"."+what)
}

// writable finds out before a download whether the program can be replaced.
func (p Program) writable() error {
	info, err := os.Lstat(p.Path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(p.Path + " is not a regular file")
	}
	if err != nil {
		return err
	}
	p.sweep()
	file, err := os.CreateTemp(filepath.Dir(p.Path), filepath.Base(p.named("new"))+"*")
	if err != nil {
		return fmt.Errorf("the program cannot be replaced, nothing can be written to its folder: %w", err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// sweep removes what an update that was killed has left.
func (p Program) sweep() {
	left, _ := filepath.Glob(p.named("new") + "*") // its one error is about the pattern
	for _, path := range left {
		_ = os.Remove(path) // it is in nobody's way
	}
}

// beside writes a program into the folder of this one, whole and on disk.
func (p Program) beside(text []byte) (path string, err error) {
	file, err := os.CreateTemp(filepath.Dir(p.Path), filepath.Base(p.named("new"))+"*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	n, err := file.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	return file.Name(), errors.Join(err, file.Chmod(0o755), file.Sync(), file.Close())
}

// syncFolder makes the rename outlive a power cut. Where it cannot, the old name or the new one
// is there, and both are whole.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
