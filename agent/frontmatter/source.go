package frontmatter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"pawl/internal/regular"
)

// Limits on what is read: such a text becomes part of requests.
const (
	MaxFile    = 64 << 10 // bytes of one file
	MaxFiles   = 200      // Markdown files of one folder
	maxEntries = 5000     // entries of one folder: every session starts with this walk
)

// Source is a folder with folders of such files. The zero value has none.
type Source struct {
	root  string // absolute
	files fs.FS
	open  func(name string) (*os.File, error)
	spell func(name string) string
}

// Empty reports whether the source has no files at all.
func (s Source) Empty() bool { return s.files == nil }

// Spell writes the path of a file of the source for people.
func (s Source) Spell(name string) string { return s.spell(name) }

// UserFolder is the user's own folder. Symbolic links may lead anywhere, since many people
// keep such files elsewhere.
func UserFolder(config string) Source {
	if config == "" {
		return Source{}
	}
	whole := func(name string) string { return filepath.Join(config, filepath.FromSlash(name)) }
	return Source{
		root: config, files: os.DirFS(config), spell: whole,
		open: func(name string) (*os.File, error) { return regular.Open(whole(name)) },
	}
}

// ProjectFolder is a project's folder. Nothing outside it is read, not even through links. The
// caller calls done when it has read.
func ProjectFolder(folder string) (_ Source, done func()) {
	root, err := regular.OpenRoot(folder)
	if err != nil {
		return Source{}, func() {}
	}
	in := rooms{Root: root}
	return Source{root: folder, files: root.FS(), spell: func(name string) string { return name }, open: in.open}, in.close
}

// rooms are the folders of a root that hold folders of files, ".claude/skills", each held open: a
// file is then found in a step or two, which counts where there are hundreds.
type rooms struct {
	*os.Root
	below map[string]*os.Root // nil: it cannot be opened
}

func (r *rooms) open(name string) (*os.File, error) {
	parts := strings.SplitN(name, "/", 3)
	if len(parts) < 3 {
		return regular.OpenIn(r.Root, name)
	}
	path := parts[0] + "/" + parts[1]
	room, known := r.below[path]
	if !known {
		room, _ = r.OpenRoot(path)
		if r.below == nil {
			r.below = map[string]*os.Root{}
		}
		r.below[path] = room
	}
	if room != nil {
		if file, err := regular.OpenIn(room, parts[2]); err == nil || errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return regular.OpenIn(r.Root, name) // a link may lead from one room into another
}

func (r *rooms) close() {
	for _, room := range r.below {
		if room != nil {
			room.Close()
		}
	}
	_ = r.Close() // it was only read
}

// Path is the whole path of a file of the source.
func (s Source) Path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// Folders names the folders in a folder of the source, links to folders included; none if there is
// no such folder. Nothing is told of what is no folder.
func (s Source) Folders(folder string) ([]string, error) {
	if info, err := fs.Stat(s.files, folder); err == nil && !info.IsDir() {
		return nil, nil // a pipe, which would be waited for
	}
	entries, err := fs.ReadDir(s.files, folder)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, plainError(err)
	}
	var names []string
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if entry.Type()&fs.ModeSymlink != 0 {
			if info, err := fs.Stat(s.files, name); err == nil && !info.IsDir() {
				continue
			}
		} else if !entry.IsDir() {
			continue
		}
		if len(names) == MaxFiles {
			return names, fmt.Errorf("it has too many folders, and only the first %d are read: remove some", MaxFiles)
		}
		names = append(names, name)
	}
	return names, nil
}

// List names the Markdown files of a folder of the source, in subfolders too; none if there is no
// such folder. Links to folders are not followed,
// because they could form a loop.
func (s Source) List(folder string) ([]string, error) {
	var names []string
	looked := 0
	err := fs.WalkDir(s.files, folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == folder:
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
	case len(names) > MaxFiles, looked == maxEntries:
		return names[:min(len(names), MaxFiles)], fmt.Errorf("it has too many files, and only the first %d of its Markdown files are read: remove some", min(len(names), MaxFiles))
	}
	return names, nil
}

// buffers spare a session that reads hundreds of files the making of as many.
var buffers = sync.Pool{New: func() any { return new([MaxFile + 1]byte) }}

// ReadFile reads a file that is regular, not too large and UTF-8, with lines ending in \n.
func (s Source) ReadFile(name string) (string, error) {
	text, _, err := s.ReadSum(name)
	return text, err
}

// ReadSum is ReadFile with the digest of the bytes that were read, of a file that can be used.
func (s Source) ReadSum(name string) (text, sum string, err error) {
	file, err := s.open(name)
	if err != nil {
		return "", "", plainError(err)
	}
	defer file.Close()
	buffer, _ := buffers.Get().(*[MaxFile + 1]byte)
	defer buffers.Put(buffer)
	n, err := io.ReadFull(file, buffer[:])
	raw := buffer[:n]
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return "", "", plainError(err)
	case len(raw) > MaxFile:
		return "", "", fmt.Errorf("it is larger than %d KiB: shorten it", MaxFile>>10)
	case !utf8.Valid(raw):
		return "", "", errors.New("it is not UTF-8 text: save it as UTF-8")
	}
	digest := sha256.Sum256(raw)
	return strings.ReplaceAll(strings.TrimPrefix(string(raw), "\ufeff"), "\r\n", "\n"), hex.EncodeToString(digest[:]), nil
}

// plainError is an error without the path, which the message around it already has.
func plainError(err error) error {
	if of, is := errors.AsType[*fs.PathError](err); is {
		err = of.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return errors.New("it leads outside the folder through a symbolic link")
	}
	return fmt.Errorf("it cannot be read: %w", err)
}
