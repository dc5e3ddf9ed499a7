package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Aside is a commit that was made without touching the index, a branch or a file of the checkout.
type Aside struct {
	Ref     string       `json:"ref"` // the branch that it is for
	Old     string       `json:"old"` // what that is at
	New     string       `json:"new"` // the commit
	Changed []Difference `json:"changed"`
}

// CheckCommit returns why no commit of just these paths can be made on the branch that is checked
// out, in one line: another act of git is under way, or somebody has changed one of them.
func (r Repository) CheckCommit(ctx context.Context, s *Scratch, paths []string) error {
	top := r.Checkout.Top
	at, err := r.at(ctx, top)
	if err != nil {
		return err
	}
	if _, err := r.branchRef(ctx); err != nil {
		return err
	}
	for _, one := range [][2]string{
		{"rebase-merge", "a rebase is"},
		{"rebase-apply", "a rebase is"},
		{"MERGE_HEAD", "a merge is"},
		{"CHERRY_PICK_HEAD", "a cherry-pick is"},
		{"REVERT_HEAD", "a revert is"},
		{"sequencer", "a cherry-pick or revert is"},
	} {
		if exists(filepath.Join(at.admin, one[0])) {
			return fmt.Errorf("no commit is made while %s under way in %s: end that first, or land without a commit", one[1], top)
		}
	}
	if lock := filepath.Join(at.admin, lockName); exists(lock) {
		return fmt.Errorf("no commit is made while git is at work in %s: %s is there; land again when it is gone", top, lock)
	}
	status, err := r.run(ctx, top, allStatus()...)
	if err != nil {
		return fmt.Errorf("look at the checkout %s: %w", top, err)
	}
	for line := range strings.SplitSeq(status, "\x00") {
		if len(line) < 4 || !slices.Contains(paths, line[3:]) {
			continue
		}
		how := "it has changes of yours that are not committed"
		if line[0] != ' ' && line[0] != '?' {
			how = "it is staged"
		}
		return fmt.Errorf("no commit is made of %s: %s; commit it yourself, or land without a commit", line[3:], how)
	}
	if err := r.checkOverlooked(ctx, paths); err != nil {
		return err
	}
	return r.checkFilters(ctx, s, paths)
}

// checkOverlooked refuses files that git was told to take for unchanged: no status tells of what a person
// has changed in them.
func (r Repository) checkOverlooked(ctx context.Context, paths []string) error {
	listed, err := r.run(ctx, r.Checkout.Top, "ls-files", "-v", "-z")
	if err != nil {
		return fmt.Errorf("look at the index of %s: %w", r.Checkout.Top, err)
	}
	for line := range strings.SplitSeq(listed, "\x00") {
		mark, path, found := strings.Cut(line, " ")
		if found && mark != strings.ToUpper(mark) && slices.Contains(paths, path) {
			return fmt.Errorf("no commit is made of %s: git is told to overlook what is changed in it (git update-index --no-assume-unchanged ends that); commit it yourself, or land without a commit", path)
		}
	}
	return nil
}

// lockName is what a git that changes the index makes in its folder meanwhile.
const lockName = "index.lock"

// branchRef is the branch that is checked out.
func (r Repository) branchRef(ctx context.Context) (string, error) {
	ref, err := r.run(ctx, r.Checkout.Top, "symbolic-ref", "--quiet", "HEAD")
	if _, is := errors.AsType[*Failed](err); is {
		return "", fmt.Errorf("no commit is made in %s: no branch is checked out there (a detached HEAD); switch to one, or land without a commit", r.Checkout.Top)
	}
	return strings.TrimSpace(ref), err
}

// checkFilters refuses files that a filter turns into something else when they are committed, where
// the filter is one that is not run.
func (r Repository) checkFilters(ctx context.Context, s *Scratch, paths []string) error {
	if len(r.Checkout.filters) == 0 || len(paths) == 0 {
		return nil
	}
	list := s.Path("attributed")
	err := os.WriteFile(list, []byte(strings.Join(paths, "\x00")+"\x00"), 0o600)
	text := ""
	if err == nil {
		text, err = r.runFrom(ctx, list, nil, r.Checkout.Top, "check-attr", "-z", "--stdin", "filter")
	}
	if err != nil {
		return fmt.Errorf("look at the attributes of %s: %w", paths[0], err)
	}
	parts := strings.Split(text, "\x00")
	for i := 0; i+2 < len(parts); i += 3 {
		if slices.Contains(r.Checkout.filters, parts[i+2]) {
			return fmt.Errorf("no commit is made of %s: git keeps it with the filter %s, which Pawl does not run; commit it yourself, or land without a commit", parts[i], parts[i+2])
		}
	}
	return nil
}

// CommitAside makes a commit on top of the checked-out branch in which these paths are as they are in
// a folder: one that is not there is deleted. Nothing but objects is written.
func (r Repository) CommitAside(ctx context.Context, s *Scratch, folder string, paths []string, message string) (Aside, error) {
	a := Aside{}
	wrong := func(err error) (Aside, error) { return a, fmt.Errorf("commit what is landed: %w", err) }
	var err error
	if a.Ref, err = r.branchRef(ctx); err != nil {
		return a, err
	}
	top := r.Checkout.Top
	old, err := r.run(ctx, top, "rev-parse", "--verify", a.Ref+"^{commit}")
	if err != nil {
		return wrong(err)
	}
	a.Old = strings.TrimSpace(old)
	list := s.Path("committed")
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\x00")+"\x00"), 0o600); err != nil {
		return wrong(err)
	}
	at, err := r.at(ctx, top)
	if err != nil {
		return wrong(err)
	}
	environ := []string{"GIT_INDEX_FILE=" + s.Path("index-commit")}
	there := place{at.admin, folder}
	if _, err := r.runUnder(ctx, environ, folder, there.args("read-tree", a.Old)...); err != nil {
		return wrong(err)
	}
	add := append([]string{"-c", "core.fileMode=true"}, there.args("update-index", "--add", "--remove", "--replace", "-z", "--stdin")...)
	if _, err := r.runFrom(ctx, list, environ, folder, add...); err != nil {
		return wrong(err)
	}
	tree, err := r.runUnder(ctx, environ, folder, there.args("write-tree")...)
	if err != nil {
		return wrong(err)
	}
	args := []string{"commit-tree", strings.TrimSpace(tree), "-p", a.Old, "-m", message}
	if _, err := r.run(ctx, top, "var", "GIT_AUTHOR_IDENT"); err != nil { // no user is configured
		args = append(own(), args...)
	}
	commit, err := r.run(ctx, top, args...)
	if err != nil {
		return wrong(err)
	}
	a.New = strings.TrimSpace(commit)
	a.Changed, err = r.changedBetween(ctx, a.Old, a.New)
	return a, err
}

// changedBetween are the paths that two commits of the repository differ in, each by itself.
func (r Repository) changedBetween(ctx context.Context, from, to string) ([]Difference, error) {
	text, err := r.run(ctx, r.Checkout.Top, "diff-tree", "-r", "-z", "--raw", "--full-index", "--no-renames", from, to)
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", to, from, err)
	}
	return differencesIn(text)
}

// Publish moves the branch to the commit, if it is still where it was and checked out.
func (a Aside) Publish(ctx context.Context, r Repository) error {
	ref, err := r.branchRef(ctx)
	if err == nil && ref != a.Ref {
		err = fmt.Errorf("another branch than %s was checked out meanwhile", a.Ref)
	}
	if err == nil {
		_, err = r.run(ctx, r.Checkout.Top, "update-ref", "-m", "pawl land", a.Ref, a.New, a.Old)
	}
	if err != nil {
		return fmt.Errorf("commit what is landed: %w", err)
	}
	return nil
}

// Published reports whether the branch is at the commit.
func (a Aside) Published(ctx context.Context, r Repository) (bool, error) {
	at, err := r.run(ctx, r.Checkout.Top, "rev-parse", "--verify", a.Ref+"^{commit}")
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", a.Ref, err)
	}
	return strings.TrimSpace(at) == a.New, nil
}

// Withdraw moves the branch back, if nothing was added to the commit.
func (a Aside) Withdraw(ctx context.Context, r Repository) error {
	published, err := a.Published(ctx, r)
	if err != nil || !published {
		return err
	}
	if _, err := r.run(ctx, r.Checkout.Top, "update-ref", "-m", "pawl land was undone", a.Ref, a.Old, a.New); err != nil {
		return fmt.Errorf("take the commit of what is landed back: %w", err)
	}
	return nil
}

// ErrIndexLocked reports that another git is at work on the index, or has left its lock.
var ErrIndexLocked = errors.New("git is at work there")

// BringIndex makes the index of the checkout have these paths as the commit has them, where it has
// them as they were before. Others stay as they are. It may be called again, and is to be after
// ErrIndexLocked: an index that is behind has the next commit undo this one.
func (a Aside) BringIndex(ctx context.Context, r Repository, s *Scratch) error {
	top := r.Checkout.Top
	wrong := func(err error) error { return fmt.Errorf("bring git's index of %s along: %w", top, err) }
	listed, err := r.run(ctx, top, "ls-files", "--stage", "-z")
	if err != nil {
		return wrong(err)
	}
	now := map[string]string{}
	for line := range strings.SplitSeq(listed, "\x00") {
		if entry, name, found := strings.Cut(line, "\t"); found {
			now[name] = entry
		}
	}
	var lines strings.Builder
	changed := slices.Clone(a.Changed)
	slices.SortStableFunc(changed, func(a, b Difference) int { return cmp.Compare(min(a.NewMode, 1), min(b.NewMode, 1)) }) // what goes makes room
	for _, d := range changed {
		was := ""
		if d.OldMode != ModeNone {
			was = fmt.Sprintf("%06o %s 0", d.OldMode, d.Old)
		}
		if now[d.Path] == was {
			fmt.Fprintf(&lines, "%06o %s\t%s\x00", d.NewMode, d.New, d.Path)
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	list := s.Path("index-lines")
	if err := os.WriteFile(list, []byte(lines.String()), 0o600); err != nil {
		return wrong(err)
	}
	if _, err := r.runFrom(ctx, list, nil, top, "update-index", "--replace", "-z", "--index-info"); err != nil {
		if said := (*Failed)(nil); errors.As(err, &said) && strings.Contains(said.Message, lockName) {
			err = fmt.Errorf("%w: %w", ErrIndexLocked, err)
		}
		return wrong(err)
	}
	_, _ = r.run(ctx, top, "update-index", "-q", "--refresh") // others may be changed, which it says by its exit code
	return nil
}

// TipWithin is the commit of a branch, if that is one of the history of a commit; empty: it is not, or
// there is no such branch.
func (r Repository) TipWithin(ctx context.Context, branch, commit string) (string, error) {
	tip, err := r.run(ctx, r.Checkout.Top, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch+"^{commit}")
	if err == nil {
		tip = strings.TrimSpace(tip)
		_, err = r.run(ctx, r.Checkout.Top, "merge-base", "--is-ancestor", tip, commit)
	}
	if _, is := errors.AsType[*Failed](err); is {
		return "", nil
	}
	return tip, err
}
