package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"pawl/internal/worktree"
	"pawl/tools/git"
)

// Checkout is a run's own on a worker: a git worktree of a repository that nothing else uses. Use it
// from one goroutine at a time.
//
//	INTO/tree/…   the worktree
//	INTO/git/…    the git folder that it belongs to, which the run may write to
//	INTO/index    git's index of all files that the run began with
//	INTO/own/…    the git folder by which the end is read: what the run wrote to its own is no setting there
type Checkout struct {
	Ref   Ref
	Place Place

	cache *Cache
	store *store
	into  string
	admin string
}

// Place says where it is, for the run's process.
type Place struct {
	Folder string `json:"folder"` // that the run works in
	Top    string `json:"top"`    // of the worktree
	Branch string `json:"branch"` // its own, which is checked out
	Common string `json:"common"` // the git folder that the worktree belongs to: see git.Seal
}

func (c *Checkout) path(parts ...string) string {
	return filepath.Join(append([]string{c.into}, parts...)...)
}

// make makes a checkout of what a store has: of one that was kept, if there is one.
func (c *Cache) make(ctx context.Context, s *store, ref Ref, into string) (*Checkout, error) {
	if err := os.MkdirAll(filepath.Dir(into), 0o700); err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(into)); err == nil {
		into = filepath.Join(real, filepath.Base(into))
	}
	out := &Checkout{Ref: ref, cache: c, store: s, into: into}
	out.Place = Place{Top: out.path("tree"), Branch: ref.Branch, Common: out.path("git")}
	kept := c.takeKept(ref, into)
	err := out.fill(ctx, kept)
	if err != nil && kept && ctx.Err() == nil {
		slog.Info("a worktree that was kept cannot be used again", "error", err)
		removeAll(into)
		err = out.fill(ctx, false)
	}
	if err == nil {
		out.Place.Folder, err = out.within()
	}
	return out, err
}

// fill writes all files. kept says that some are there, of an earlier run.
func (c *Checkout) fill(ctx context.Context, kept bool) error {
	err := os.MkdirAll(c.Place.Top, 0o700)
	if err == nil && kept {
		err = os.RemoveAll(filepath.Join(c.Place.Top, ".git"))
	}
	if err == nil {
		err = c.init(c.Place.Common)
	}
	if err != nil {
		return err
	}
	ref := c.Ref
	branches := map[string]string{ref.Branch: ref.Head}
	if ref.Line != "" {
		branches[ref.Line] = ref.Base
	}
	if c.admin, err = git.LinkApart(c.Place.Common, c.Place.Top, ref.Branch, branches); err != nil {
		return err
	}
	if kept {
		if err := git.CopyIndex(c.path("index"), filepath.Join(c.admin, "index")); err != nil {
			return err
		}
	}
	laid := make(chan error, 1)
	go func() { laid <- c.layIncluded(ctx) }()
	err = c.cache.git.Fill(ctx, c.admin, c.Place.Top, ref.Head, ref.files(), c.path("index"), kept)
	if err = together(err, <-laid); err != nil {
		return err
	}
	return c.include(ctx)
}

// init makes a git folder that reads what the store has, and other objects.
func (c *Checkout) init(folder string, objects ...string) error {
	objects = append([]string{filepath.Join(c.store.folder, "objects")}, objects...)
	if err := git.InitApart(folder, longID(c.Ref.Head), objects...); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "info", "exclude"), []byte(c.Ref.Exclude), 0o600); err != nil {
		return err
	}
	return addShallow(folder, c.Ref.Shallow)
}

// layIncluded writes the ignored files that came along, beside the worktree.
func (c *Checkout) layIncluded(ctx context.Context) error {
	if c.Ref.Include == "" {
		return nil
	}
	if err := os.Mkdir(c.path("include"), 0o700); err != nil {
		return err
	}
	return c.cache.git.Lay(ctx, c.store.folder, c.path("include"), c.path("include-index"), c.Ref.Include)
}

// include puts those files into the worktree, wherever no other file is in their place.
func (c *Checkout) include(ctx context.Context) error {
	if c.Ref.Include == "" {
		return nil
	}
	from := c.path("include")
	defer removeAll(from)
	var names []string
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if err == nil {
		_, err = worktree.Include(ctx, from, c.Place.Top, names)
	}
	return err
}

// within is the folder that the run works in.
func (c *Checkout) within() (string, error) {
	folder := filepath.Join(c.Place.Top, filepath.FromSlash(c.Ref.Within))
	real, err := filepath.EvalSymlinks(folder)
	if err == nil && real != folder {
		err = errors.New("it is a link")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is in no commit, so a worktree does not have it: commit it first, or start the subagent without isolation", c.Ref.Within)
	}
	if err != nil {
		return "", fmt.Errorf("the folder %s cannot be worked in: %w", c.Ref.Within, err)
	}
	return folder, nil
}

// mostKept is how many worktrees of a repository wait for their next run: more than that begin at once
// only now and then.
const mostKept = 4

// Close removes the checkout. clean says that the run's processes are all gone: its files may then
// serve the next run of the same repository, reset.
func (c *Checkout) Close(clean bool) error {
	defer c.store.close()
	if !clean || !c.keep() {
		removeAll(c.into)
	}
	if exists(c.into) {
		return fmt.Errorf("the checkout %s cannot be deleted", c.into)
	}
	return c.store.tidy()
}

// keep puts the worktree to those that are kept, if there is room; on another file system there is none.
func (c *Checkout) keep() bool {
	info, err := os.Lstat(c.Place.Top)
	kept := c.cache.kept(c.Ref.Repository)
	if err != nil || !info.IsDir() || len(keptIn(kept)) >= mostKept || os.MkdirAll(kept, 0o700) != nil {
		return false
	}
	for _, name := range []string{"git", "own", "include", "include-index"} {
		removeAll(c.path(name))
	}
	c.cache.keeping.Lock()
	defer c.cache.keeping.Unlock()
	return len(keptIn(kept)) < mostKept && os.Rename(c.into, filepath.Join(kept, c.Ref.files()+"-"+randomText())) == nil
}
