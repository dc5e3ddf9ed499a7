package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Arrived is what a branch and its worktree are to be, whose objects the repository has.
type Arrived struct {
	Branch string
	Head   string // the commit of the branch
	Files  string // a commit of all files, committed or not
	Start  string // the commit that the worktree began with beyond its base, which git keeps for it; empty: none
}

// arriveScript fills a new worktree. $1 is the ref to keep $2 by, $3 the commit of its files, $4 that of its
// branch.
const arriveScript = `
[ -z "$2" ] || git update-ref "$1" "$2" || exit
git read-tree --reset -u "$3" || exit
[ "$3" = "$4" ] || git reset -q`

// AddArrived creates a worktree at a path, as Add does, with a new branch, that holds what has arrived.
// An error leaves nothing behind.
func (r Repository) AddArrived(ctx context.Context, top, path string, a Arrived) error {
	err := r.addWith(ctx, top, path, a.Branch, a.Head, "--no-checkout")
	if taken := (*Failed)(nil); errors.As(err, &taken) && strings.Contains(taken.Message, "already exists") {
		// One that died may have left the branch: it goes if it is at that very commit.
		if err := r.dropBranch(ctx, top, a.Branch, a.Head); err != nil {
			return fmt.Errorf("make the worktree %s: %w", path, err)
		}
		err = r.addWith(ctx, top, path, a.Branch, a.Head, "--no-checkout")
	}
	if err != nil {
		return err
	}
	at, err := r.placeOf(path)
	if err == nil {
		_, err = r.script(ctx, scripted{folder: path, environ: at.environ(), long: true}, arriveScript, startRef(a.Branch), a.Start, a.Files, a.Head)
	}
	if err != nil {
		clearing, end := finishing(ctx)
		defer end()
		return errors.Join(fmt.Errorf("make the worktree %s: %w", path, err), r.Clear(clearing, top, path, a.Branch, a.Head))
	}
	return nil
}

// environ makes git use this place.
func (p place) environ() []string { return []string{"GIT_DIR=" + p.admin, "GIT_WORK_TREE=" + p.folder} }

// replaceScript brings a worktree from the commit of all its files $1 to that of $2, and the branch $3
// from $4 to $5. $6 says that this was begun before. The others are paths that are left out. It says
// "changed", and does nothing, where the files are others.
const replaceScript = `
was=$1 files=$2 ref=$3 from=$4 head=$5 again=$6; shift 6
git add --all -- :/ "$@" || exit
if [ -z "$again" ]; then
	tree=$(git write-tree) && before=$(git rev-parse --verify "$was^{tree}") && at=$(git rev-parse --verify HEAD) && on=$(git symbolic-ref HEAD) || exit
	[ "$tree" = "$before" ] && [ "$at" = "$from" ] && [ "$on" = "$ref" ] || { echo changed; exit 0; }
fi
git read-tree --reset -u "$files" && unset GIT_INDEX_FILE && git update-ref -m "pawl: back from another machine" "$ref" "$head" && git symbolic-ref HEAD "$ref" && git reset -q`

// ErrChanged says that a worktree is no longer as it was.
var ErrChanged = errors.New("it was changed meanwhile")

// Replace brings a worktree from what it was, the commits was and from of its files and its branch, to
// what has arrived. It returns ErrChanged, and does nothing, where it is no longer like that; again says
// that it may be on its way already. below is a folder as for Gather.
func (r Repository) Replace(ctx context.Context, path, was, from string, a Arrived, again bool, below string) error {
	wrong := func(err error) error { return fmt.Errorf("bring the worktree %s up to date: %w", path, err) }
	at, err := r.placeOf(path)
	if err != nil {
		return err
	}
	listed, err := r.Listed(ctx, path)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(below, scratchName)
	if err != nil {
		return wrong(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // RemoveScratch finds what is left
	index := filepath.Join(folder, "index")
	if err := CopyIndex(filepath.Join(at.admin, "index"), index); err != nil {
		return wrong(err)
	}
	mark := ""
	if again {
		mark = "again"
	}
	args := append([]string{was, a.Files, "refs/heads/" + a.Branch, from, a.Head, mark}, excluded(listed.Repositories)...)
	says, err := r.script(ctx, scripted{folder: path, environ: append(at.environ(), "GIT_INDEX_FILE="+index), long: true}, replaceScript, args...)
	switch {
	case err != nil:
		return wrong(err)
	case strings.TrimSpace(says) == "changed":
		return wrong(ErrChanged)
	}
	return nil
}

// NewBranch makes a branch at a commit, if there is none of that name.
func (r Repository) NewBranch(ctx context.Context, name, commit string) error {
	_, err := r.run(ctx, r.Checkout.Top, "update-ref", "refs/heads/"+name, commit, strings.Repeat("0", len(commit)))
	if err != nil {
		return fmt.Errorf("make the branch %s: %w", name, err)
	}
	return nil
}

// HasCommit reports whether a commit is in the repository.
func (r Repository) HasCommit(ctx context.Context, commit string) (bool, error) {
	_, err := r.run(ctx, r.Checkout.Top, "cat-file", "-e", commit+"^{commit}")
	if _, is := errors.AsType[*Failed](err); is {
		return false, nil
	}
	return err == nil, err
}
