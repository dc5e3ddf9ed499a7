package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Commit commits all changes of a worktree, new files included, to the branch that is checked
// out there, and returns that branch. No hook, filter or signing program runs. What a commit
// cannot hold, such as files of another repository, is left: call Changes again.
func (r Repository) Commit(ctx context.Context, path, message string) (branch string, err error) {
	branch, err = r.Branch(ctx, path)
	if err != nil {
		return "", err
	}
	if _, err := r.run(ctx, path, "add", "--all"); err != nil {
		return "", fmt.Errorf("commit what is in the worktree %s: %w", path, err)
	}
	args := []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false"}
	if _, err := r.run(ctx, path, "var", "GIT_AUTHOR_IDENT"); err != nil { // no user is configured
		args = append(args, "-c", "user.name=Pawl", "-c", "user.email=pawl@localhost")
	}
	args = append(args, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim", "--message="+message)
	if _, err := r.run(ctx, path, args...); err != nil {
		return "", fmt.Errorf("commit what is in the worktree %s: %w", path, err)
	}
	return branch, nil
}

// Branch is the branch that a worktree has checked out. It is an error if there is none: commits
// would be lost with the worktree.
func (r Repository) Branch(ctx context.Context, path string) (string, error) {
	branch, err := r.run(ctx, path, "symbolic-ref", "--quiet", "--short", "HEAD")
	if _, is := errors.AsType[*Failed](err); is {
		return "", fmt.Errorf("the worktree %s has no branch checked out: git -C %s switch -c NAME makes one", path, path)
	}
	return strings.TrimSpace(branch), err
}
