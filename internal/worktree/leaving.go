package worktree

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"pawl/lifecycle"
	"pawl/tools/git"
)

// Leaving says, in a note, that all of a worktree is being landed, and what that is: once the log
// has the landing, the worktree goes.
type Leaving struct {
	Operation lifecycle.OperationID `json:"operation"`
	Tree      string                `json:"tree"` // all that it holds
	Tip       string                `json:"tip"`  // the commit of its branch, which goes with it; empty: it stays
}

// Departure is a worktree that is set aside. Whoever has it must Finish or Undo it; until then no
// other worktree is made or removed.
type Departure struct {
	trees      *Trees
	note       Note
	removal    git.Removal
	repository git.Repository
	done       func()
}

// SetAside sets a worktree aside, of which everything is being landed. It is an error if it holds
// anything else by now, or is worked in.
func (t *Trees) SetAside(ctx context.Context, repository git.Repository, note Note, leaving Leaving) (*Departure, error) {
	done, err := t.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	d := &Departure{trees: t, note: note, repository: repository, done: done}
	if t.working[note.Path] {
		err = fmt.Errorf("%s is worked in again", note.Path)
	}
	if err == nil {
		d.note.Leaving = &leaving
		err = d.note.Save()
	}
	if err == nil {
		d.removal, err = repository.SetAside(ctx, note.Top, note.Path, leaving.Tree)
		if err != nil {
			d.note.Leaving = nil
			err = errors.Join(err, d.note.Save())
		}
	}
	if err != nil {
		done()
		return nil, err
	}
	return d, nil
}

// Undo puts the worktree back.
func (d *Departure) Undo() error {
	defer d.done()
	err := d.removal.Undo()
	d.note.Leaving = nil
	return errors.Join(err, d.note.Save())
}

// Finish removes the worktree, and its branch if that is still where it was. Its files are deleted
// in the background.
func (d *Departure) Finish(ctx context.Context) error {
	defer d.done()
	err := d.removal.Finish(ctx, d.note.Branch, d.note.Leaving.Tip)
	if err == nil {
		err = d.note.Drop()
	}
	d.trees.Go(func() { DeleteGone(git.Gone(d.note.Path)) })
	return err
}

// EndLeaving puts back, or removes, the worktrees of this session that a Pawl which died had set aside:
// before anybody looks for them. Those of other sessions can wait for the sweep.
func (t *Trees) EndLeaving(ctx context.Context) error {
	if _, err := os.Stat(t.folder()); err != nil {
		return nil // it has none
	}
	notes, err := ReadNotes(t.Below)
	for _, note := range notes {
		if note.Session == t.Session && note.Folder == t.Folder && note.Leaving != nil {
			err = errors.Join(err, t.sweepOne(ctx, note))
		}
	}
	return err
}

// finishLeaving ends what a Pawl that died had begun with a worktree that was landed.
func (t *Trees) finishLeaving(ctx context.Context, repository git.Repository, note Note) (gone bool, err error) {
	leaving := *note.Leaving
	recorded := false
	if t.Landed != nil {
		recorded, err = t.Landed(ctx, note.Session, leaving.Operation)
	}
	if err != nil {
		return false, err
	}
	if recorded { // a part of it may be gone, or all
		if err := repository.RemoveHolding(ctx, note.Top, note.Path, note.Branch, leaving.Tip, leaving.Tree); err == nil {
			err = note.Drop()
			DeleteGone(git.Gone(note.Path))
			return true, err
		} else if !errors.Is(err, git.ErrHolds) {
			return false, err
		}
		slog.Warn("a worktree that was landed holds something new, and stays", "path", note.Path)
	}
	note.Leaving = nil
	return false, note.Save()
}

// Find is the note of the worktree that a subagent has left; found is false if there is none.
func (t *Trees) Find(agent lifecycle.SessionID) (note Note, found bool, err error) {
	notes, err := ReadNotes(filepath.Dir(t.folder()))
	for _, n := range notes {
		if n.Session == t.Session && n.Agent == agent && n.Ready {
			note, found = n, true
		}
	}
	if found {
		err = nil // what is wrong is about others
	}
	return note, found, err
}

// Scratch is a folder of the session for what is worked out aside, which no command of a model can
// reach.
func (t *Trees) Scratch() string { return t.folder() }
