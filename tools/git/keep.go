package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Commit commits all that is changed in a worktree, new files too, to the branch that it
// has checked out, and gives that. No hook, filter or signature has a say in it. What a
// commit cannot hold, the files of another repository within, is left: look again.
func (r Repository) Commit(ctx context.Context, path, message string) (branch string, err error) {
	branch, err = r.Branch(ctx, path)
	if err != nil {
		return "", err
	}
	if _, err := r.run(ctx, path, "add", "--all"); err != nil {
		return "", fmt.Errorf("commit what is in the worktree %s: %w", path, err)
	}
	args := []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false"}
	if _, err := r.run(ctx, path, "var", "GIT_AUTHOR_IDENT"); err != nil { // git knows nobody's name here
		args = append(args, "-c", "user.name=Pawl", "-c", "user.email=pawl@localhost")
	}
	args = append(args, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim", "--message="+message)
	if _, err := r.run(ctx, path, args...); err != nil {
		return "", fmt.Errorf("commit what is in the worktree %s: %w", path, err)
	}
	return branch, nil
}

// Branch is the one that a worktree has checked out. Without one its commits would go
// with it.
func (r Repository) Branch(ctx context.Context, path string) (string, error) {
	branch, err := r.run(ctx, path, "symbolic-ref", "--quiet", "--short", "HEAD")
	if none := (*Failed)(nil); errors.As(err, &none) {
		return "", fmt.Errorf("the worktree %s has no branch checked out: git -C %s switch -c NAME makes one", path, path)
	}
	return strings.TrimSpace(branch), err
}
