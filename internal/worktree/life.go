package worktree

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/git"
)

// begin returns the worktree of a run: the one that an earlier run of the agent left, or else a
// new one. An error leaves nothing new behind that no note tells of.
func (t *Trees) begin(ctx context.Context, run lifecycle.Run) (Note, git.Repository, error) {
	path, err := t.pathOf(run.Folder)
	if err != nil {
		return Note{}, git.Repository{}, err
	}
	repository, err := t.Repository(run.ID)
	if err != nil {
		return Note{}, repository, err
	}
	done, err := t.takeTurn(ctx)
	if err != nil {
		return Note{}, repository, err
	}
	defer done()
	note, found, err := t.existing(ctx, repository, path, run)
	fresh := err == nil && !found
	if fresh {
		note, err = t.make(ctx, repository, path, run)
	}
	if err != nil {
		return note, repository, err
	}
	if _, err := os.Stat(run.Folder); err != nil {
		if !fresh { // it may hold the work of an earlier run
			return note, repository, fmt.Errorf("%s is no longer in the agent's worktree %s, where an earlier run of it worked: start a new subagent", run.Folder, note.Path)
		}
		if err := t.remove(ctx, repository, note, git.Changes{Tip: note.Base, Holds: note.Start}); err != nil {
			slog.Error("remove a worktree", "path", note.Path, "error", err)
		}
		return note, repository, fmt.Errorf("%s is in no commit, so a worktree does not have it: commit it first, or start the subagent without isolation", t.Folder)
	}
	t.working[path] = true
	return note, repository, nil
}

// make creates a worktree. The caller must hold the turn.
func (t *Trees) make(ctx context.Context, repository git.Repository, path string, run lifecycle.Run) (Note, error) {
	start, err := repository.StartPoint(ctx, t.Dirty)
	if err != nil {
		return Note{}, err
	}
	note := Note{
		Path: path, Branch: run.Branch, Base: start.Base, Top: start.Top, Folder: t.Folder,
		Session: run.Root, Agent: run.Session, Description: run.Description, Made: time.Now(), Behind: start.Changed,
		Unprepared: t.Setup != nil,
	}
	if err := note.Save(); err != nil {
		return note, err
	}
	if t.Dirty {
		note.Start, err = repository.Uncommitted(ctx, start.Top, filepath.Dir(path))
		if err != nil {
			return note, errors.Join(err, note.Drop())
		}
		if err := note.Save(); err != nil {
			return note, err
		}
	}
	err = repository.Add(ctx, start.Top, path, run.Branch, start.Base)
	if errors.Is(err, git.ErrLeft) {
		return note, err // the sweep works by the notes
	}
	if err != nil {
		return note, errors.Join(err, note.Drop())
	}
	err = t.fill(ctx, repository, &note)
	if err == nil {
		note.Ready = true
		err = note.Save()
	}
	if err != nil {
		clearing, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), leavingEnded, errSlow)
		defer cancel()
		return note, errors.Join(err, t.remove(clearing, repository, note, git.Changes{Tip: note.Base, Holds: note.Start}))
	}
	return note, nil
}

// fill brings what is not committed to a new worktree, and the ignored files that are listed.
func (t *Trees) fill(ctx context.Context, repository git.Repository, note *Note) error {
	if note.Start != "" {
		if err := repository.Bring(ctx, note.Path, note.Branch, note.Start); err != nil {
			return err
		}
	}
	names, err := repository.Included(ctx, note.Top, filepath.Dir(note.Path))
	if err != nil || len(names) == 0 {
		return err
	}
	note.Included, err = Include(ctx, note.Top, note.Path, names)
	return err
}

// end reports what a run leaves in its worktree, and removes one that holds nothing.
func (t *Trees) end(ctx context.Context, note Note, repository git.Repository, busy bool) lifecycle.Worktree {
	left := lifecycle.Worktree{Path: note.Path, Branch: note.Branch, Base: note.Base, Kept: true, Behind: note.Behind}
	done, err := t.takeTurn(ctx)
	if err != nil {
		left.Why = "it could not be read: " + err.Error()
		go t.leave(note.Path) // the run has ended, whoever has the turn
		return left
	}
	defer done()
	delete(t.working, note.Path)
	changes, err := note.Changes(ctx, repository)
	if err != nil {
		left.Why = "its state could not be read: " + err.Error()
		return left
	}
	left.Files, left.Added, left.Removed, left.Commits = changes.Files, changes.Added, changes.Removed, changes.Commits
	switch {
	case changes.Dirty || changes.Commits > 0:
		return left
	case busy:
		left.Why = "nothing was changed, but a command of it was still at work there"
		return left
	}
	if err := t.remove(ctx, repository, note, changes); err != nil {
		if note.There() {
			left.Why = err.Error()
			return left
		}
		slog.Warn("git has not forgotten a worktree that was removed: the next start sees to it", "path", note.Path, "error", err)
	}
	left.Kept = false
	return left
}

// remove removes a worktree that holds nothing, then its note. Its files are deleted in the
// background, so that a stop need not wait for it.
func (t *Trees) remove(ctx context.Context, repository git.Repository, note Note, changes git.Changes) error {
	if err := repository.RemoveHolding(ctx, note.Top, note.Path, note.Branch, changes.Tip, changes.Holds); err != nil {
		return err
	}
	err := note.Drop()
	t.Go(func() { DeleteGone(git.Gone(note.Path)) })
	return err
}

// DeleteGone deletes the files of a removed worktree, and the session's folder if they were the
// last in it.
func DeleteGone(files string) {
	if err := os.RemoveAll(files); err != nil {
		slog.Error("delete the files of a worktree that was removed", "path", files, "error", err)
	}
	_ = os.Remove(filepath.Dir(files)) // fails while it holds another
}

// Start begins to sweep in the background, until ctx is done or Stop is called.
func (t *Trees) Start(ctx context.Context) {
	ctx, t.stop = context.WithCancel(ctx)
	t.Go(func() { t.sweep(ctx) })
}

// sweep removes what Pawls that died have left of this folder: worktrees half created, and those
// without changes. It removes none of other folders, where git may not be trusted.
func (t *Trees) sweep(ctx context.Context) {
	notes, err := ReadNotes(t.Below)
	if err != nil {
		slog.Error("read the notes of worktrees", "error", err)
	}
	for _, note := range notes {
		if note.Folder != t.Folder || ctx.Err() != nil {
			continue
		}
		if err := t.sweepOne(ctx, note); err != nil && !errors.Is(err, store.ErrLocked) && ctx.Err() == nil {
			slog.Error("remove a worktree that was left", "path", note.Path, "error", err)
		}
	}
	for _, files := range goneWithoutNotes(t.Below) {
		DeleteGone(files)
	}
}

func (t *Trees) sweepOne(ctx context.Context, note Note) error {
	if note.Session != t.Session { // of another session, which must stay closed meanwhile
		release, err := t.Lock(note.Session)
		if err != nil {
			return err
		}
		defer release()
	}
	done, err := t.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer done()
	note, found, err := ReadNote(note.Path) // it may have changed
	if err != nil || !found || t.working[note.Path] {
		return err
	}
	repository, err := t.Repository("")
	if err != nil {
		return err
	}
	if note.Leaving != nil {
		err := repository.Restore(ctx, note.Top, note.Path)
		gone := false
		if err == nil {
			gone, err = t.finishLeaving(ctx, repository, note)
		}
		if gone || err != nil {
			return err
		}
	}
	_, err = note.Clear(ctx, repository)
	return err
}

// Clear removes a worktree that holds nothing, or what is left of one, and reports whether it
// did.
func (n Note) Clear(ctx context.Context, repository git.Repository) (bool, error) {
	err := repository.Restore(ctx, n.Top, n.Path)
	switch {
	case err != nil:
	case !n.Ready:
		err = repository.Clear(ctx, n.Top, n.Path, n.Branch, n.Base)
	case !n.There():
		err = repository.Forget(ctx, n.Top, n.Path, n.Branch, n.Base)
	default:
		changes, wrong := n.Changes(ctx, repository)
		if wrong != nil || !changes.None() {
			return false, wrong
		}
		err = repository.RemoveHolding(ctx, n.Top, n.Path, n.Branch, changes.Tip, changes.Holds)
	}
	if err != nil {
		return false, err
	}
	err = n.Drop()
	DeleteGone(git.Gone(n.Path))
	return true, err
}
