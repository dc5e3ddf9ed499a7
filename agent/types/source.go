package types

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"pawl/internal/regular"
)

// Limits on what is read: a type's instructions are part of every request of its runs.
const (
	maxFile    = 64 << 10 // bytes of one file
	maxFiles   = 200      // Markdown files of one folder
	maxEntries = 5000     // entries of one folder: every session starts with this walk
)

// source is a folder with types. The zero value has none.
type source struct {
	files     fs.FS
	open      func(name string) (*os.File, error)
	folder    string                   // inside files
	spell     func(name string) string // for people
	claude    bool                     // written for Claude Code
	isProject bool                     // it is the project's
}

// userFolder is the user's own folder. Symbolic links may lead anywhere, since many people
// keep such files elsewhere.
func userFolder(config string) source {
	if config == "" {
		return source{}
	}
	whole := func(name string) string { return filepath.Join(config, filepath.FromSlash(name)) }
	return source{
		files: os.DirFS(config), folder: "agents", spell: whole,
		open: func(name string) (*os.File, error) { return regular.Open(whole(name)) },
	}
}

// projectFolder is a project's folder. Nothing outside it is read, not even through links.
func projectFolder(folder string) (_ source, done func()) {
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return source{}, func() {}
	}
	return source{
		files: root.FS(), isProject: true, spell: func(name string) string { return name },
		open: func(name string) (*os.File, error) { return regular.OpenIn(root, name) },
	}, func() { root.Close() }
}

// at is a folder inside the source.
func (s source) at(folder string, claude bool) source {
	s.folder, s.claude = folder, claude
	return s
}

// list names the Markdown files, in subfolders too. Links to folders are not followed,
// because they could form a loop.
func (s source) list() ([]string, error) {
	var names []string
	looked := 0
	err := fs.WalkDir(s.files, s.folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == s.folder:
			return err
		case err != nil:
			return fs.SkipDir // skip a folder that cannot be read
		case looked == maxEntries:
			return fs.SkipAll
		case !entry.IsDir() && path.Ext(name) == ".md":
			names = append(names, name)
		}
		looked++
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, plainError(err)
	case len(names) > maxFiles, looked == maxEntries:
		return names[:min(len(names), maxFiles)], fmt.Errorf("it has too many files, and only the first %d of its Markdown files are read: remove some", min(len(names), maxFiles))
	}
	return names, nil
}

// readFile reads a file that is regular, not too large and UTF-8, with lines ending in \n.
func (s source) readFile(name string) (string, error) {
	file, err := s.open(name)
	if err != nil {
		return "", plainError(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return "", plainError(err)
	case len(text) > maxFile:
		return "", fmt.Errorf("it is larger than %d KiB: shorten it", maxFile>>10)
	case !utf8.Valid(text):
		return "", errors.New("it is not UTF-8 text: save it as UTF-8")
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), nil
}

// plainError is an error without the path, which the message around it already has.
func plainError(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return errors.New("it leads outside the folder through a symbolic link")
	}
	return fmt.Errorf("it cannot be read: %w", err)
}
