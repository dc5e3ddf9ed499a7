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

// Bounds of what is read: a type's instructions go into every request of its runs.
const (
	maxFile    = 64 << 10 // bytes of one file
	maxFiles   = 200      // Markdown files of one folder
	maxEntries = 5000     // of one folder, whatever they are: a session begins with this walk
)

// source is a folder with types in it. The zero value has none.
type source struct {
	files     fs.FS
	open      func(name string) (*os.File, error)
	folder    string                   // inside files
	spell     func(name string) string // for people
	claude    bool                     // the words are Claude Code's
	isProject bool                     // it is the project's
}

// userFolder is the user's own. Links are followed wherever they lead: it is
// theirs, and many keep such files elsewhere.
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

// projectFolder is anybody's: nothing outside it is read, links or not.
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

// at is a folder inside.
func (s source) at(folder string, claude bool) source {
	s.folder, s.claude = folder, claude
	return s
}

// list names the Markdown files, those of folders inside too; a link to a folder
// inside is not followed, it could lead in a circle.
func (s source) list() ([]string, error) {
	var names []string
	looked := 0
	err := fs.WalkDir(s.files, s.folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == s.folder:
			return err
		case err != nil:
			return fs.SkipDir // a folder that cannot be read holds no types
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

// readFile reads a file: a regular one, bounded, in UTF-8, its lines ended by \n.
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

// plainError is an error without the path that the line around it names already.
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
