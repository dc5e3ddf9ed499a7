package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pawl/lifecycle"
	"pawl/tools/git"
)

// Away is where a run that works on another machine begins.
type Away struct {
	Repository git.Repository
	Path       string // of its worktree at home
	Within     string // the run's folder, below the top of its checkout
	Note       Note   // of the worktree that an earlier run of the agent left
	Found      bool   // there is one, and it is here
}

// Depart finds where a run that works on another machine begins. Until Arrive or Stay its worktree,
// if it has one, is neither landed nor removed.
func (t *Trees) Depart(ctx context.Context, run lifecycle.Run) (Away, error) {
	away := Away{}
	var err error
	if away.Path, err = t.pathOf(run.Folder); err != nil {
		return away, err
	}
	if away.Within, err = filepath.Rel(away.Path, run.Folder); err != nil {
		return away, err
	}
	if away.Repository, err = t.Repository(run.ID); err != nil {
		return away, err
	}
	done, err := t.takeTurn(ctx)
	if err != nil {
		return away, err
	}
	defer done()
	if away.Note, away.Found, err = t.existing(ctx, away.Repository, away.Path, run); err != nil {
		return away, err
	}
	t.working[away.Path] = true
	return away, nil
}

// existing is the worktree that an earlier run of an agent left. The caller must hold the turn.
func (t *Trees) existing(ctx context.Context, repository git.Repository, path string, run lifecycle.Run) (note Note, found bool, err error) {
	note, found, err = ReadNote(path)
	if err == nil && found {
		err = repository.Restore(ctx, note.Top, path)
	}
	if err == nil && !found {
		if other := Stayed(t.Below, t.Session, path, run.Branch); other != "" {
			err = fmt.Errorf("the worktree of this subagent stayed with session %s, which this one was forked from: resume it there, or start a new subagent", other)
		}
	}
	return note, err == nil && found && note.Ready && note.There(), err
}

// Stay ends what Depart began where nothing has come back, and says what the worktree of an earlier run
// holds; nil: there is none.
func (t *Trees) Stay(ctx context.Context, run lifecycle.Run) (*lifecycle.Worktree, error) {
	path, note, repository, found, err := t.away(ctx, run)
	if err != nil || !found {
		t.leave(path)
		return nil, err
	}
	left := t.end(ctx, note, repository, false)
	return &left, nil
}

// away is what is at home of a run that worked elsewhere.
func (t *Trees) away(ctx context.Context, run lifecycle.Run) (path string, note Note, repository git.Repository, found bool, err error) {
	if path, err = t.pathOf(run.Folder); err != nil {
		return path, note, repository, false, err
	}
	if repository, err = t.Repository(run.ID); err != nil {
		return path, note, repository, false, err
	}
	done, err := t.takeTurn(ctx)
	if err != nil {
		return path, note, repository, false, err
	}
	defer done()
	note, found, err = t.existing(ctx, repository, path, run)
	return path, note, repository, found, err
}

// PathOf is the path of a run's worktree, whether it is there or not; empty: it has none here.
func (t *Trees) PathOf(run lifecycle.Run) string {
	path, _ := t.pathOf(run.Folder)
	return path
}

// leave notes that nobody works in a worktree any more.
func (t *Trees) leave(path string) {
	t.turn <- struct{}{} // nobody holds it for longer than git takes
	delete(t.working, path)
	<-t.turn
}

// Arrival is what a run has left on another machine. The repository has its commits.
type Arrival struct {
	Top         string // of the checkout, as git names it
	Base, Start string // see Note
	Behind      int
	// What the run began with there: the commit of its branch, and one of all files.
	FromHead, FromFiles string
	Head, Files         string            // the same at its end
	Branches            map[string]string // that it made besides, with their commits
}

// Arrive makes the worktree of a run what it has left on another machine, and says what is in it. If there
// is none it is made, and one in which nothing is changed is removed, as at the end of any run. With the
// same arrival it may be called again, also after it was interrupted. It is an error if somebody has
// changed the worktree since Depart: that stays, and what has arrived is on a branch that the error
// names.
func (t *Trees) Arrive(ctx context.Context, run lifecycle.Run, a Arrival) (*lifecycle.Worktree, error) {
	path, note, repository, found, err := t.away(ctx, run)
	if err != nil {
		t.leave(path)
		return nil, err
	}
	done, err := t.takeTurn(ctx)
	if err != nil {
		t.leave(path)
		return nil, err
	}
	switch {
	case !found:
		note, err = t.makeArrived(ctx, repository, path, run, a)
	case note.Returned != run.ID:
		err = t.replace(ctx, repository, &note, run, a)
	}
	if err == nil {
		err = arriveBranches(ctx, repository, run.Branch, a.Branches)
	}
	done()
	if err != nil && !note.Ready {
		t.leave(path)
		return nil, err
	}
	left := t.end(ctx, note, repository, false)
	return &left, err
}

// makeArrived is make for a worktree that is full from the beginning. The caller must hold the turn.
func (t *Trees) makeArrived(ctx context.Context, repository git.Repository, path string, run lifecycle.Run, a Arrival) (Note, error) {
	note := Note{
		Path: path, Branch: run.Branch, Base: a.Base, Start: a.Start, Top: a.Top, Folder: t.Folder,
		Session: run.Root, Agent: run.Session, Description: run.Description, Made: time.Now(), Behind: a.Behind, Returned: run.ID,
	}
	// What a Pawl that died has begun is begun anew.
	if _, err := os.Lstat(NoteOf(path)); err == nil {
		if err := repository.Clear(ctx, a.Top, path, run.Branch, a.Head); err != nil {
			return Note{}, err
		}
	}
	if err := note.Save(); err != nil {
		return Note{}, err
	}
	arrived := git.Arrived{Branch: run.Branch, Head: a.Head, Files: a.Files, Start: a.Start}
	if err := repository.AddArrived(ctx, a.Top, path, arrived); err != nil {
		return Note{}, errors.Join(err, note.Drop())
	}
	note.Ready = true
	return note, note.Save()
}

// replace brings the worktree of an earlier run up to date. The caller must hold the turn.
func (t *Trees) replace(ctx context.Context, repository git.Repository, note *Note, run lifecycle.Run, a Arrival) error {
	begun := note.Returning == run.ID
	note.Returning = run.ID
	if err := note.Save(); err != nil {
		return err
	}
	arrived := git.Arrived{Branch: note.Branch, Head: a.Head, Files: a.Files}
	err := repository.Replace(ctx, note.Path, a.FromFiles, a.FromHead, arrived, begun, filepath.Dir(note.Path))
	if errors.Is(err, git.ErrChanged) {
		err = t.keepAside(ctx, repository, *note, a.Files)
		note.Returning = ""
		return errors.Join(err, note.Save())
	}
	if err != nil {
		return err
	}
	note.Returning, note.Returned = "", run.ID
	return note.Save()
}

// keepAside keeps what has arrived for a worktree that was changed meanwhile. Its error says where.
func (t *Trees) keepAside(ctx context.Context, repository git.Repository, note Note, files string) error {
	name := note.Branch + "-away-" + files[:8]
	if at, err := repository.TipWithin(ctx, name, files); err != nil || at == "" {
		if err := repository.NewBranch(ctx, name, files); err != nil {
			return err
		}
	}
	return fmt.Errorf("the worktree %s was changed while its subagent worked on another machine, and stays as it is: what the subagent left is the last commit of the branch %s", note.Path, name)
}

// arriveBranches keeps the branches that a run made besides its own, beside that.
func arriveBranches(ctx context.Context, repository git.Repository, own string, branches map[string]string) error {
	for name, commit := range branches {
		name = own + "-" + name
		at, err := repository.TipWithin(ctx, name, commit)
		if err == nil && at == "" {
			err = repository.NewBranch(ctx, name, commit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
