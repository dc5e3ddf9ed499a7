package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pawl/internal/worktree"
	"pawl/tools/git"
)

// seen is a checkout, or a worktree of it, as it was looked at.
type seen struct {
	begun   time.Time
	state   git.State
	files   string // a commit of all files; empty: that of the state
	stamp   string // what files was made of; empty: that may have changed within it
	listed  git.Listed
	index   string // what listed was read from
	include included
}

// included are the ignored files that go along.
type included struct {
	stamp  string
	commit string
	what   worktree.Included
}

// look finds out what a run begins with. Runs that begin at the same time share what is found.
func (h *Home) look(ctx context.Context, away worktree.Away) (seen, error) {
	came := time.Now()
	r := away.Repository
	top, err := h.top(ctx, r)
	if err != nil {
		return seen{}, err
	}
	path := top
	if away.Found {
		path = away.Path
	}
	done, err := h.looking.take(ctx, path)
	if err != nil {
		return seen{}, err
	}
	defer done()
	last, _ := lookUp(h, h.seen, path)
	if last.begun.After(came) {
		return last, nil
	}
	l := looking{home: h, repository: r, top: top, path: path}
	now, err := l.look(ctx, last)
	if err != nil {
		return seen{}, err
	}
	note(h, h.seen, path, now)
	return now, nil
}

// top is the top folder of a checkout, as git names it.
func (h *Home) top(ctx context.Context, r git.Repository) (string, error) {
	if top, known := lookUp(h, h.tops, r.Folder); known {
		return top, nil
	}
	start, err := r.StartPoint(ctx, true)
	if err != nil {
		return "", err
	}
	note(h, h.tops, r.Folder, start.Top)
	return start.Top, nil
}

type looking struct {
	home       *Home
	repository git.Repository
	top, path  string
}

// look asks git side by side, and again only where something may have changed.
func (l looking) look(ctx context.Context, last seen) (seen, error) {
	now := seen{begun: time.Now(), listed: last.listed, index: l.repository.IndexStampOf(l.path)}
	var side sync.WaitGroup
	var listing, including error
	if now.index == "" || now.index != last.index {
		side.Go(func() { now.listed, listing = l.repository.Listed(ctx, l.path) })
	}
	side.Go(func() { now.include, including = l.include(ctx, last.include) })
	var err error
	now.state, err = l.repository.State(ctx, l.path)
	side.Wait()
	if err = together(err, listing, including); err != nil {
		return now, err
	}
	if now.state.Head == "" {
		return now, errors.New("a worktree begins with a commit, and this repository has none yet: commit first, or start the subagent without isolation")
	}
	return now, l.gather(ctx, &now, last)
}

// gather makes a commit of what is not committed, if it is not the same as the last time.
func (l looking) gather(ctx context.Context, now *seen, last seen) error {
	if len(now.state.Changed) == 0 && now.listed.Unchanged == "" {
		return nil
	}
	now.stamp = stampOf(l.path, now.state.Changed, now.state.Head+"\n"+now.state.Lines)
	if now.stamp != "" && now.stamp == last.stamp {
		now.files = last.files
		return nil
	}
	var err error
	now.files, err = l.repository.Gather(ctx, l.path, now.state.Head, now.listed, l.home.scratch())
	return err
}

// include makes a commit of the ignored files that .worktreeinclude names, if they are not the same as the
// last time.
func (l looking) include(ctx context.Context, last included) (included, error) {
	names, err := l.repository.Included(ctx, l.top, l.home.scratch())
	if err != nil || len(names) == 0 {
		return included{}, err
	}
	now := included{stamp: stampOf(l.top, names, "")}
	if now.stamp != "" && now.stamp == last.stamp {
		return last, nil
	}
	folder, err := os.MkdirTemp(l.home.scratch(), "merge-") // git.RemoveScratch finds what is left
	if err != nil {
		return now, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // as above
	files := filepath.Join(folder, "files")
	if err := os.Mkdir(files, 0o700); err != nil {
		return now, err
	}
	if now.what, err = worktree.Include(ctx, l.top, files, names); err == nil {
		now.commit, err = l.repository.GatherFolder(ctx, files, folder)
	}
	return now, err
}

// A file that was changed so short a time before it was looked at may be changed again without a sign of
// it: the times of files are as coarse as the system's clock for them or, where they have no fractions,
// as seconds.
const (
	fineMoment   = 50 * time.Millisecond
	coarseMoment = 2 * time.Second
)

// stampOf says in which state files are, without reading them; empty: one of them may change without a
// sign of it.
func stampOf(top string, names []string, more string) string {
	var b strings.Builder
	b.WriteString(more)
	now := time.Now()
	for _, name := range names {
		path := filepath.Join(top, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(&b, "\n%q", name)
			continue
		}
		if err != nil {
			return ""
		}
		changed, inode, err := signs(path)
		if err != nil {
			return ""
		}
		moment := fineMoment
		if changed.Nanosecond() == 0 {
			moment = coarseMoment
		}
		if now.Sub(changed) < moment {
			return ""
		}
		fmt.Fprintf(&b, "\n%q %d %d %d %s %d", name, info.Size(), info.ModTime().UnixNano(), changed.UnixNano(), info.Mode(), inode)
	}
	return b.String()
}
