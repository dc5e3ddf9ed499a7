package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// startRef names the commit that a worktree was given, by its branch: so git keeps it as long as the
// worktree.
func startRef(branch string) string { return "refs/pawl/start/" + branch }

// own are options for commits that Pawl makes aside: the user's name may not be configured.
func own() []string {
	return []string{"-c", "user.name=Pawl", "-c", "user.email=pawl@localhost", "-c", "commit.gpgSign=false", "-c", "gc.auto=0"}
}

// Uncommitted is a commit, on no branch, of all that the checkout holds, staged or not, but for
// ignored files; empty if that is just what is committed. The checkout's index stays as it is; below
// is a folder for another one, which no command of a model can reach.
func (r Repository) Uncommitted(ctx context.Context, top, below string) (commit string, err error) {
	head, err := r.run(ctx, top, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return "", fmt.Errorf("read what is not committed in %s: %w", top, err)
	}
	listed, err := r.Listed(ctx, top)
	if err != nil {
		return "", err
	}
	return r.Gather(ctx, top, strings.TrimSpace(head), listed, below)
}

// Bring makes the files of a new worktree those of a commit of Uncommitted. Its index and branch
// stay as they are, so there too they are what is not committed.
func (r Repository) Bring(ctx context.Context, path, branch, commit string) error {
	_, err := r.run(ctx, path, "update-ref", startRef(branch), commit)
	if err == nil {
		_, err = r.run(ctx, path, "restore", "--quiet", "--source="+commit, "--worktree", "--no-overlay", "--", ":/")
	}
	if err != nil {
		return fmt.Errorf("bring what is not committed to the worktree %s: %w", path, err)
	}
	return nil
}

// IncludeFile lists, as .gitignore does, the ignored files of a checkout that new worktrees get.
const IncludeFile = ".worktreeinclude"

// Included are the ignored files of a checkout that its IncludeFile names, with slashes. below is a
// folder for a list of them.
func (r Repository) Included(ctx context.Context, top, below string) ([]string, error) {
	if !exists(filepath.Join(top, IncludeFile)) {
		return nil, nil
	}
	wrong := func(err error) ([]string, error) {
		return nil, fmt.Errorf("find the files of %s: %w", IncludeFile, err)
	}
	listed, err := r.run(ctx, top, "ls-files", "--others", "--ignored", "--exclude-from="+IncludeFile, "-z")
	if err != nil {
		return wrong(err)
	}
	if listed == "" {
		return nil, nil
	}
	list, err := os.CreateTemp(below, scratchName)
	if err != nil {
		return wrong(err)
	}
	defer os.Remove(list.Name()) //nolint:errcheck // as above
	_, err = list.WriteString(listed)
	if err = errors.Join(err, list.Close()); err != nil {
		return wrong(err)
	}
	ignored, err := r.runFrom(ctx, list.Name(), nil, top, "check-ignore", "-z", "--stdin")
	if none := (*Failed)(nil); errors.As(err, &none) && none.Code == 1 {
		return nil, nil // none of them is ignored
	}
	if err != nil {
		return wrong(err)
	}
	return strings.Split(strings.TrimSuffix(ignored, "\x00"), "\x00"), nil
}
