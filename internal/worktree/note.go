package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pawl/internal/regular"
	"pawl/lifecycle"
	"pawl/tools/git"
)

// Note is what Pawl keeps of a worktree that it has made: a file beside it, written
// before git makes it and deleted after git has removed it. So none is ever there that
// nobody knows, whatever ends Pawl, and none needs the database to be found.
type Note struct {
	Path        string              `json:"path"`
	Branch      string              `json:"branch"`
	Base        string              `json:"base"`   // the commit that it began with
	Top         string              `json:"top"`    // of the checkout that it was made from
	Folder      string              `json:"folder"` // that the session works in: trust in it decides whether git is run
	Session     lifecycle.SessionID `json:"session"`
	Agent       lifecycle.SessionID `json:"agent"`
	Description string              `json:"description"`
	Made        time.Time           `json:"made"`
	Ready       bool                `json:"ready"`  // git has made it: somebody may have worked in it
	Behind      int                 `json:"behind"` // files that the checkout had changed and not committed
}

const noteSuffix = ".json"

func NoteOf(path string) string { return path + noteSuffix }

// save writes the note so that a crash leaves the old one or this.
func (n Note) save() error {
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(n.Path), 0o700); err != nil {
		return fmt.Errorf("note the worktree %s: %w", n.Path, err)
	}
	file, err := os.CreateTemp(filepath.Dir(n.Path), ".note-*")
	if err != nil {
		return fmt.Errorf("note the worktree %s: %w", n.Path, err)
	}
	_, err = file.Write(append(text, '\n'))
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), NoteOf(n.Path))
	}
	if err != nil {
		_ = os.Remove(file.Name()) // the error that matters is told
		return fmt.Errorf("note the worktree %s: %w", n.Path, err)
	}
	return nil
}

// Drop deletes the note, and the session's folder where it was the last.
func (n Note) Drop() error {
	if err := os.Remove(NoteOf(n.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(n.Path)) // it stays while another is in it
	return nil
}

// longestNote bounds what is read of one, in bytes.
const longestNote = 1 << 20

// ReadNote gives the note of a worktree; found is false where there is none.
func ReadNote(path string) (n Note, found bool, err error) {
	text, err := regular.Read(NoteOf(path), longestNote)
	if errors.Is(err, fs.ErrNotExist) {
		return n, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	if err == nil && n.Path != path {
		err = errors.New("it names another folder")
	}
	if err != nil {
		return n, false, fmt.Errorf("read %s: %w", NoteOf(path), err)
	}
	return n, true, nil
}

// ReadNotes lists the worktrees below a folder, the oldest first. What cannot be read
// is in the error; the others are listed all the same.
func ReadNotes(folder string) ([]Note, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"+noteSuffix))
	if err != nil {
		return nil, err
	}
	var notes []Note
	var wrong []error
	for _, file := range files {
		n, found, err := ReadNote(strings.TrimSuffix(file, noteSuffix))
		if err != nil {
			wrong = append(wrong, err)
		} else if found {
			notes = append(notes, n)
		}
	}
	slices.SortFunc(notes, func(a, b Note) int { return a.Made.Compare(b.Made) })
	return notes, errors.Join(wrong...)
}

// goneWithoutNotes lists the files of worktrees that were removed and not deleted yet.
func goneWithoutNotes(folder string) (all []string) {
	found, _ := filepath.Glob(filepath.Join(folder, "*", git.Gone("*"))) // the pattern is a good one
	for _, files := range found {
		if _, noted, err := ReadNote(strings.TrimSuffix(files, git.Gone(""))); err == nil && !noted {
			all = append(all, files)
		}
	}
	return all
}

// There says whether the worktree's folder is, or may be: what cannot be looked at is
// not gone.
func (n Note) There() bool {
	_, err := os.Lstat(n.Path)
	return !errors.Is(err, fs.ErrNotExist)
}
