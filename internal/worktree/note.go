package worktree

import (
	"cmp"
	"context"
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

// Note describes a worktree that Pawl has created. It is a file beside the worktree, written
// before git creates it and deleted after git has removed it. So no worktree is ever forgotten,
// however Pawl ends, and finding them does not need the database.
type Note struct {
	Path        string              `json:"path"`
	Branch      string              `json:"branch"`
	Base        string              `json:"base"`   // the commit that it started from
	Top         string              `json:"top"`    // top folder of the checkout that it was made from
	Folder      string              `json:"folder"` // the session's folder: trust in it decides whether git is run
	Session     lifecycle.SessionID `json:"session"`
	Agent       lifecycle.SessionID `json:"agent"`
	Description string              `json:"description"`
	Made        time.Time           `json:"made"`
	Ready       bool                `json:"ready"`  // git has created it, so there may be work in it
	Behind      int                 `json:"behind"` // number of files with uncommitted changes in the checkout
	// Start is the commit, on no branch, of what it was given beyond Base: the uncommitted changes of
	// the checkout. Empty: it was given none.
	Start string `json:"start,omitempty"`
	// Included are the ignored files that it was given.
	Included Included `json:"included,omitzero"`
	// Leaving is set while all of it is landed and it is removed.
	Leaving *Leaving `json:"leaving,omitempty"`
	// SentBack are files of the session's folder that git could not merge, and that the subagent was
	// told of, by their paths there.
	SentBack map[string]SentBack `json:"sent_back,omitempty"`
	// Returned is the newest run that worked on another machine and whose work is here; Returning one
	// whose work is being brought.
	Returned  lifecycle.RunID `json:"returned,omitempty"`
	Returning lifecycle.RunID `json:"returning,omitempty"`
	// Unprepared: what the user wants run in a new worktree has not run there to its end.
	Unprepared bool `json:"unprepared,omitempty"`
}

// Beginning is the commit that holds what the subagent began with: what it changed is all that
// differs from that.
func (n Note) Beginning() string { return cmp.Or(n.Start, n.Base) }

// SentBack is what a subagent was told that the folder holds. Once it has changed its own file since, it
// has made its change in that: what differs from it is the subagent's.
type SentBack struct {
	Folder   lifecycle.FileState `json:"folder"`   // kept in the file store of the session
	Worktree string              `json:"worktree"` // the object of its own file then; empty: there was none
}

const noteSuffix = ".json"

// NoteOf is the path of the note of the worktree at path.
func NoteOf(path string) string { return path + noteSuffix }

// Save writes the note atomically: after a crash there is the old one or this one.
func (n Note) Save() error {
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(n.Path), 0o700); err != nil {
		return fmt.Errorf("note the worktree %s: %w", n.Path, err)
	}
	if err := regular.Replace(NoteOf(n.Path), append(text, '\n')); err != nil {
		return fmt.Errorf("note the worktree %s: %w", n.Path, err)
	}
	return nil
}

// Drop deletes the note, and the session's folder if it was the last there.
func (n Note) Drop() error {
	if err := os.Remove(NoteOf(n.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(n.Path)) // fails while it holds another
	return nil
}

// longestNote limits how many bytes of a note are read.
const longestNote = 1 << 20

// ReadNote reads the note of a worktree; found is false if there is none.
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

// ReadNotes lists the worktrees below a folder, oldest first. The error names the notes that
// could not be read; the others are listed all the same.
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

// Stayed is the session in which a worktree is that another session of the folder below has no note
// of: that one was forked from it, with the subagent, and the worktree stayed. Empty: there is none.
func Stayed(below string, session lifecycle.SessionID, path, branch string) lifecycle.SessionID {
	notes, _ := ReadNotes(below) // what cannot be read is none that is known
	for _, n := range notes {    // its name is random to its end
		if n.Session != session && n.Branch == branch && filepath.Base(n.Path) == filepath.Base(path) {
			return n.Session
		}
	}
	return ""
}

// goneWithoutNotes lists the files of removed worktrees that are still to be deleted.
func goneWithoutNotes(folder string) (all []string) {
	found, _ := filepath.Glob(filepath.Join(folder, "*", git.Gone("*"))) // the pattern is valid
	for _, files := range found {
		if _, noted, err := ReadNote(strings.TrimSuffix(files, git.Gone(""))); err == nil && !noted {
			all = append(all, files)
		}
	}
	return all
}

// Changes examines the worktree: what is in it beyond what it began with.
func (n Note) Changes(ctx context.Context, repository git.Repository) (git.Changes, error) {
	return repository.ChangesSince(ctx, n.Top, n.Path, n.Branch, n.Base, n.Start)
}

// There reports whether the worktree's folder exists, or cannot be looked at.
func (n Note) There() bool {
	_, err := os.Lstat(n.Path)
	return !errors.Is(err, fs.ErrNotExist)
}
