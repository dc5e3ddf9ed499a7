package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ProgramPath is the file that a name runs, by today's PATH; empty where there is no such
// program. here says that it was found by an entry of PATH that is no whole path, and so
// lies in whatever folder is the current one.
func ProgramPath(name string) (path string, here bool) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", false
	}
	return path, err != nil
}

// Inside reports whether a file that exists lies in one of the folders, links followed.
func Inside(path string, folders ...string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(folders, func(folder string) bool {
		if folder, err = filepath.EvalSymlinks(folder); err != nil {
			return false
		}
		between, err := filepath.Rel(folder, real)
		return err == nil && between != ".." && !strings.HasPrefix(between, ".."+string(filepath.Separator))
	})
}

// Program is the file that a name runs where Pawl picks the program, and not the user or a model; empty
// where there is none. It is not taken from folder, the one where it is to run, nor from the Writable ones.
func (l *Launcher) Program(name, folder string) string {
	return l.program(name, folder, pathOf(l.environ()))
}

// program is the same by another PATH than this process has.
func (l *Launcher) program(name, folder, path string) string {
	for _, dir := range l.entries(path, folder) {
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil && !Inside(found, l.avoided(folder)...) {
			return found
		}
	}
	return ""
}

// entries are those of a PATH in which models cannot put a program.
func (l *Launcher) entries(path, folder string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		return !filepath.IsAbs(dir) || Inside(dir, l.avoided(folder)...)
	})
}

// avoided are the folders from which Pawl picks no program for one that runs in a folder. The root is none:
// no program would be left.
func (l *Launcher) avoided(folder string) []string {
	return slices.DeleteFunc(append(slices.Clone(l.Writable), folder), func(f string) bool { return f != "" && filepath.Dir(f) == f })
}

// ShellCommand is a command line for bash in a folder, or for sh where there is no bash.
func (l *Launcher) ShellCommand(line, folder string) Command {
	name := "sh"
	for _, shell := range []string{"bash", "sh"} {
		if found := l.Program(shell, folder); found != "" {
			name = found
			break
		}
	}
	return Command{Name: name, Args: []string{"-c", line}, Folder: folder}
}

// own is a command that Pawl itself picks: with the file that its name stands for, and with a PATH that
// leaves out the folders in which models may write.
func (l *Launcher) own(c Command) (Command, error) {
	path := pathOf(l.environ())
	found := l.program(c.Name, c.Folder, path)
	if found == "" {
		if _, err := exec.LookPath(c.Name); err == nil || errors.Is(err, exec.ErrDot) {
			return c, fmt.Errorf("%s is on PATH only in a folder in which models may write, and is not run from there: install it elsewhere", c.Name)
		}
		return c, nil // the start says what is missing
	}
	c.Name = found
	clean := strings.Join(l.entries(path, c.Folder), string(filepath.ListSeparator))
	c.Environ = append([]string{"PATH=" + clean}, c.Environ...)
	return c, nil
}

// pathOf is the PATH of an environment or, where that has none, of this process. Windows writes the name
// in another way.
func pathOf(environ []string) string {
	for _, entry := range slices.Backward(environ) {
		if name, value, _ := strings.Cut(entry, "="); strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return os.Getenv("PATH")
}

// CheckProgram says why a program that is named by a path or by itself cannot be started;
// nil where it is there.
func CheckProgram(name string) error {
	_, err := exec.LookPath(name)
	if about, is := errors.AsType[*exec.Error](err); is {
		return about.Err
	}
	return err
}
