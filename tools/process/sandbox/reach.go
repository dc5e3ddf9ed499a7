package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// reached are the paths that are there, as they really are, in their order. A way
// that leads through one that stands before it is left out, by whatever links it gets
// there: a command can write in that one, and could have put a link there to be let
// out by the next command. What is left has no step in it that a command can change.
func reached(paths []string) []string {
	var all []string
	open := map[string]bool{}
	for _, path := range paths {
		at, err := follow(path, func(step string, _ bool) error {
			if open[step] {
				return fs.ErrExist
			}
			return nil
		})
		if err == nil {
			open[at] = true
			all = append(all, at)
		}
	}
	return all
}

// mostLinks is how many links the kernel follows on the way to a file.
const mostLinks = 40

// follow goes a whole path as the kernel does, and says where it ends. Each step is
// shown, with whether it is a link; an error ends the way.
func follow(path string, look func(step string, link bool) error) (string, error) {
	at, steps, links := "/", strings.Split(path, "/"), 0
	for len(steps) > 0 {
		next := filepath.Join(at, steps[0])
		steps = steps[1:]
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		link := info.Mode()&os.ModeSymlink != 0
		if err := look(next, link); err != nil {
			return "", err
		}
		if !link {
			at = next
			continue
		}
		target, err := os.Readlink(next)
		if links++; err == nil && links > mostLinks {
			err = syscall.ELOOP
		}
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		steps = append(strings.Split(target, "/"), steps...)
	}
	return at, nil
}

// settle finds where the folder really is. No link on the way there may stand where a
// command can write: it was perhaps a folder when Pawl was started in it, and would
// open another one to commands by now.
func (s Policy) settle(at *place) error {
	if !filepath.IsAbs(at.folder) {
		return nil // nothing is writable there
	}
	beside := *at
	beside.folder = ""
	others := reached(s.writable(beside))
	var refused error
	real, err := follow(at.folder, func(step string, link bool) error {
		holds := func(root string) bool { return within(root, step) }
		if link && slices.ContainsFunc(others, holds) {
			refused = fmt.Errorf("not started, because its sandbox cannot be made: %s is a symbolic link in a folder where commands may write: start Pawl in the folder that it should point to", step)
		}
		return refused
	})
	if err == nil {
		at.folder, at.git = real, findCheckout(real)
	}
	return refused
}
