package landing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pawl/internal/failpoint"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/apply"
	"pawl/tools/git"
)

// ErrNothing says that nothing of a plan can be landed.
var ErrNothing = errors.New("nothing was landed")

// Target is what a plan is landed with.
type Target struct {
	Contents apply.Contents
	Journal  string        // a folder of the session, for what a crash leaves
	After    lifecycle.Seq // the last record of the session
	Trees    *worktree.Trees
	// Record puts the landing into the log, durably.
	Record func(ctx context.Context, landed lifecycle.Landed) error
	// Recorded says whether the log has a landing.
	Recorded func(lifecycle.OperationID) (bool, error)
	// Warn tells the person what is still to be done after the landing, in one line. Nil: nobody listens.
	Warn func(text string)
	// Pause waits before something is tried again. Nil: for as long as it is told.
	Pause func(time.Duration)
}

// Wish says how to land.
type Wish struct {
	Choice
	Commit  bool   `json:"commit,omitempty"` // make a commit of what is landed
	Message string `json:"message,omitempty"`
}

// Land puts a plan's merged files into the folder, all or none, and records that. If it leaves nothing
// of the worktree, that is removed. An error means that nothing was changed.
func (p *Plan) Land(ctx context.Context, to Target, wish Wish) (lifecycle.Landed, error) {
	landed := lifecycle.Landed{
		Operation: lifecycle.NewOperationID(), Folder: p.Folder, Worktree: p.Worktree, Branch: p.Branch, Files: p.Changes(), Left: p.left(),
	}
	if len(landed.Files) == 0 && !p.whole() {
		return landed, ErrNothing
	}
	l := &landing{plan: p, to: to, landed: landed}
	if err := l.prepare(ctx, wish); err != nil {
		return landed, err
	}
	set := apply.Set{Operation: landed.Operation, Folder: p.Folder, After: to.After}
	for _, f := range p.Files {
		for _, one := range f.puts {
			set.Files = append(set.Files, apply.File{Path: one.path, Expect: one.expect, Want: one.want})
		}
	}
	if _, err := apply.Run(ctx, to.Journal, to.Contents, set, l.record); err != nil {
		return l.landed, errors.Join(err, dropCommit(to.Journal))
	}
	l.finish(ctx)
	return l.landed, nil
}

// Changes are what landing the plan does to files of the folder.
func (p *Plan) Changes() (all []lifecycle.FileChange) {
	for _, f := range p.Files {
		for _, one := range f.puts {
			all = append(all, lifecycle.FileChange{Path: one.path, Before: one.expect, After: one.want})
		}
	}
	return all
}

// landing is one under way.
type landing struct {
	plan      *Plan
	to        Target
	landed    lifecycle.Landed
	commit    *commit             // nil: none is made
	departure *worktree.Departure // nil: the worktree stays
}

// prepare keeps what is to be put in place, and makes the commit aside.
func (l *landing) prepare(ctx context.Context, wish Wish) error {
	for _, f := range l.plan.Files {
		for _, one := range f.puts {
			if one.content == "" {
				continue
			}
			content, err := os.ReadFile(one.content)
			if err == nil {
				_, err = l.to.Contents.Keep(content, one.expect.Hash)
			}
			if err != nil {
				return fmt.Errorf("keep what %s is to hold: %w", one.path, err)
			}
		}
	}
	if !wish.Commit || len(l.landed.Files) == 0 {
		return nil
	}
	err := l.endEarlier(ctx)
	if err != nil {
		return err
	}
	l.commit, err = l.plan.makeCommit(ctx, l.landed.Operation, wish.Message)
	if err == nil {
		err = l.commit.note(l.to.Journal)
		l.landed.Commit = l.commit.Aside.New
	}
	return err
}

// record is called when all files are in place. If it fails they are put back.
func (l *landing) record(ctx context.Context) error {
	failpoint.Reach("landing.applied")
	if l.commit != nil {
		if err := l.commit.Aside.Publish(ctx, l.plan.repository); err != nil {
			return err
		}
		failpoint.Reach("landing.committed")
	}
	if len(l.landed.Left) == 0 {
		l.setAside(ctx)
	}
	err := l.to.Record(ctx, l.landed)
	if err == nil {
		failpoint.Reach("landing.recorded")
		return nil
	}
	undoing := context.WithoutCancel(ctx)
	if l.departure != nil {
		err = errors.Join(err, l.departure.Undo())
	}
	if l.commit != nil {
		err = errors.Join(err, l.commit.Aside.Withdraw(undoing, l.plan.repository))
	}
	return err
}

// setAside begins to remove the worktree. It stays if that is not possible, which is no reason not to
// land.
func (l *landing) setAside(ctx context.Context) {
	p := l.plan
	tip, err := p.repository.TipWithin(ctx, p.Branch, p.head)
	if err == nil {
		leaving := worktree.Leaving{Operation: l.landed.Operation, Tree: p.tree, Tip: tip}
		l.departure, err = l.to.Trees.SetAside(ctx, p.repository, p.note, leaving)
	}
	if err != nil {
		slog.Warn("a worktree that is landed stays", "path", p.Worktree, "error", err)
	}
	l.landed.Removed = err == nil
}

// finish ends what the record has made final. What fails is done at the next start.
func (l *landing) finish(ctx context.Context) {
	if l.departure != nil {
		if err := l.departure.Finish(ctx); err != nil {
			slog.Error("remove a worktree that was landed", "path", l.plan.Worktree, "error", err)
		}
	}
	failpoint.Reach("landing.removed")
	if l.commit == nil {
		return
	}
	err := l.bringIndex(context.WithoutCancel(ctx), l.commit)
	if err == nil {
		err = dropCommit(l.to.Journal)
	}
	if err == nil {
		return
	}
	slog.Error("bring git's index along with a landing", "folder", l.plan.Folder, "error", err)
	if l.to.Warn != nil {
		l.to.Warn("the commit is made, but " + words.FirstLine(err.Error()) + "; until this session is opened again, or lands with a commit, a commit of yours undoes it")
	}
}

// How long another git's work on the index is waited for.
const (
	indexTries = 20
	indexPause = 250 * time.Millisecond
)

// bringIndex brings git's index along with a commit, as soon as no other git is at work on it.
func (l *landing) bringIndex(ctx context.Context, c *commit) error {
	pause := l.to.Pause
	if pause == nil {
		pause = time.Sleep
	}
	err := c.Aside.BringIndex(ctx, l.plan.repository, l.plan.scratch)
	for try := 1; try < indexTries && errors.Is(err, git.ErrIndexLocked); try++ {
		pause(indexPause)
		err = c.Aside.BringIndex(ctx, l.plan.repository, l.plan.scratch)
	}
	return err
}

// endEarlier ends an earlier commit of the session that is not in git's index yet: the note has room for
// one.
func (l *landing) endEarlier(ctx context.Context) error {
	repository := func() (git.Repository, error) { return l.plan.repository, nil }
	err := RecoverCommit(ctx, l.to.Journal, l.plan.scratch.Path("earlier"), repository, l.to.Recorded)
	if err != nil {
		return fmt.Errorf("no commit is made before an earlier one is whole: %w", err)
	}
	return nil
}

// Tell is what the parent's model is told of a landing.
func Tell(landed lifecycle.Landed, agent lifecycle.SessionID, description string) string {
	var files []string
	for _, f := range landed.Files {
		files = append(files, f.Path+howOf(f))
	}
	text := fmt.Sprintf("The user has landed changes of the subagent %q (%s) in %s: ", description, agent, landed.Folder)
	if len(files) == 0 {
		text += "all of them were there already"
	} else {
		text += listed(files)
	}
	if landed.Commit != "" {
		text += ". They are commit " + landed.Commit
	}
	switch {
	case len(landed.Left) > 0:
		text += ". Not landed, and only in its worktree " + landed.Worktree + ": " + listed(landed.Left)
	case landed.Removed:
		text += ". Its worktree is removed"
	}
	return text + ". What you have read of these files may be out of date."
}

// howOf says of a file that came or went that it did.
func howOf(f lifecycle.FileChange) string {
	switch {
	case f.Before.Kind == lifecycle.FileNone:
		return " (new)"
	case f.After.Kind == lifecycle.FileNone:
		return " (deleted)"
	}
	return ""
}

// mostListed is how many files are named one by one.
const mostListed = 50

func listed(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		return strings.Join(names[:mostListed], ", ") + " and " + words.Count(more, "more file")
	}
	return strings.Join(names, ", ")
}

// paths are the files of the checkout that are put in place.
func (p *Plan) paths() (paths []string) {
	for _, f := range p.Files {
		for _, one := range f.puts {
			paths = append(paths, p.within+one.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// laidOut puts what is to be committed into a folder of its own, as it is to be.
func (p *Plan) laidOut() (folder string, err error) {
	folder = p.scratch.Path("commit")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", fmt.Errorf("commit what is landed: %w", err)
	}
	for _, f := range p.Files {
		for _, one := range f.puts {
			if one.content == "" {
				continue
			}
			if err := layOut(filepath.Join(folder, filepath.FromSlash(p.within+one.path)), one); err != nil {
				return "", fmt.Errorf("commit what is landed: %w", err)
			}
		}
	}
	return folder, nil
}

func layOut(path string, one put) error {
	content, err := os.ReadFile(one.content)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	switch {
	case err != nil:
		return err
	case one.want.Kind == lifecycle.FileLink:
		return os.Symlink(string(content), path)
	}
	return os.WriteFile(path, content, os.FileMode(one.want.Mode)|0o600)
}
