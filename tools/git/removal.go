package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrHolds: the worktree was not removed because it holds something.
var ErrHolds = errors.New("it holds something that is not committed")

// goneSuffix ends the name of the folder of a worktree that is being removed.
const goneSuffix = ".gone"

// Gone is the path of the files of a removed worktree.
func Gone(path string) string { return path + goneSuffix }

// Remove removes a worktree that holds nothing, and its branch if that is still at tip. Git
// checks once more at the last moment: a file that came after Changes keeps the worktree.
//
//	renamed to Gone ──► git checks ──► something is in it, or that is not known: renamed back
//	                       └ nothing ──► git forgets it, and its branch goes
//
// A rename is atomic, so wherever this is interrupted a worktree has all of its files or is none
// any more: see Restore. Afterwards the files are still in Gone, for the caller to delete, which
// takes seconds if they are many.
func (r Repository) Remove(ctx context.Context, top, path, branch, tip string) error {
	return r.RemoveHolding(ctx, top, path, branch, tip, "")
}

// RemoveHolding is Remove for a worktree that holds a tree, or what a commit does, and nothing else;
// empty: nothing that is not committed.
func (r Repository) RemoveHolding(ctx context.Context, top, path, branch, tip, tree string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return r.Forget(ctx, top, path, branch, tip)
	}
	removal, err := r.SetAside(ctx, top, path, tree)
	if err != nil {
		return err
	}
	return removal.Finish(ctx, branch, tip)
}

// Removal is a worktree that was renamed to Gone, checked, and is still known to git.
type Removal struct {
	repository       Repository
	top, path, admin string
}

// SetAside begins to remove a worktree that holds a tree, or what a commit does, and nothing else or,
// where that is empty, nothing that is not committed. Whoever begins it must Finish or Undo it.
func (r Repository) SetAside(ctx context.Context, top, path, tree string) (Removal, error) {
	admin := r.admin(ctx, top, path)
	switch {
	case ctx.Err() != nil:
		return Removal{}, fmt.Errorf("remove the worktree %s: %w", path, context.Cause(ctx))
	case admin == "":
		return Removal{}, fmt.Errorf("remove the worktree %s: git does not know it", path)
	case exists(filepath.Join(admin, "locked")):
		return Removal{}, fmt.Errorf("remove the worktree %s: %w: it is locked", path, ErrHolds)
	}
	// Gone beside a whole worktree is left from an earlier one.
	if err := errors.Join(os.RemoveAll(Gone(path)), os.Rename(path, Gone(path))); err != nil {
		return Removal{}, fmt.Errorf("remove the worktree %s: %w", path, err)
	}
	var err error
	if tree == "" {
		err = r.checkEmpty(ctx, admin, Gone(path))
	} else {
		err = r.checkHolds(ctx, place{admin, Gone(path)}, tree)
	}
	if err != nil {
		return Removal{}, fmt.Errorf("remove the worktree %s: %w", path, errors.Join(err, os.Rename(Gone(path), path)))
	}
	return Removal{r, top, path, admin}, nil
}

// Finish makes git forget the worktree, and its branch if that is still at tip.
func (m Removal) Finish(ctx context.Context, branch, tip string) error {
	forgetting, end := finishing(ctx)
	defer end()
	return m.repository.forget(forgetting, m.top, m.path, m.admin, branch, tip)
}

// Undo puts the worktree back.
func (m Removal) Undo() error {
	if err := os.Rename(Gone(m.path), m.path); err != nil {
		return fmt.Errorf("put back the worktree %s: %w", m.path, err)
	}
	return nil
}

// checkEmpty returns an error if something would be lost in a folder that git knows by another
// path.
func (r Repository) checkEmpty(ctx context.Context, admin, folder string) error {
	status, err := r.run(ctx, folder, append([]string{"--git-dir=" + admin, "--work-tree=" + folder}, allStatus()...)...)
	if err == nil && status != "" {
		err = ErrHolds
	}
	return err
}

// Restore puts back a worktree whose removal was interrupted before git forgot it.
func (r Repository) Restore(ctx context.Context, top, path string) error {
	if exists(path) || !exists(Gone(path)) || r.admin(ctx, top, path) == "" {
		return nil
	}
	if err := os.Rename(Gone(path), path); err != nil {
		return fmt.Errorf("restore the worktree %s: %w", path, err)
	}
	return nil
}

// Discard removes a worktree and its branch with everything in them.
func (r Repository) Discard(ctx context.Context, top, path, branch string) error {
	if _, err := r.run(ctx, top, "worktree", "remove", "--force", "--force", path); err != nil {
		if err := r.Clear(ctx, top, path, branch, ""); err != nil {
			return err
		}
	}
	_, err := r.run(ctx, top, "update-ref", "-d", startRef(branch))
	if err == nil {
		_, err = r.run(ctx, top, "branch", "-D", branch)
	}
	if _, is := errors.AsType[*Failed](err); is {
		return nil
	}
	return err
}
