package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/regular"
)

// Scratch is a folder in which git keeps an index and objects of its own for a while: what is
// worked out there leaves nothing in the repository, neither in its index nor among its objects.
type Scratch struct {
	folder  string
	objects string // of the repository, which are read
}

// scratchName is how the names of such folders begin.
const scratchName = "merge-"

// RemoveScratch deletes what a process that died has left of them in a folder. None there may be in
// use.
func RemoveScratch(below string) {
	left, _ := filepath.Glob(filepath.Join(below, scratchName+"*")) // the pattern is valid
	for _, folder := range left {
		_ = os.RemoveAll(folder)
	}
}

// NewScratch makes one below a folder. The caller must Remove it.
func (r Repository) NewScratch(ctx context.Context, below string) (*Scratch, error) {
	if err := os.MkdirAll(below, 0o700); err != nil {
		return nil, fmt.Errorf("make a place to merge in: %w", err)
	}
	folder, err := os.MkdirTemp(below, scratchName)
	if err != nil {
		return nil, fmt.Errorf("make a place to merge in: %w", err)
	}
	s := &Scratch{folder: folder}
	objects, err := r.run(ctx, r.Checkout.Top, "rev-parse", "--git-path", "objects")
	if err == nil {
		s.objects = beside(r.Checkout.Top, strings.TrimSuffix(objects, "\n"))
		err = os.Mkdir(s.Path("objects"), 0o700)
	}
	if err != nil {
		s.Remove()
		return nil, fmt.Errorf("make a place to merge in: %w", err)
	}
	return s, nil
}

// Path is the path of a file or folder of the scratch folder.
func (s *Scratch) Path(parts ...string) string {
	return filepath.Join(append([]string{s.folder}, parts...)...)
}

// Remove deletes it and what is in it.
func (s *Scratch) Remove() { _ = os.RemoveAll(s.folder) }

// environ makes git read and write there. index names the file of the index.
func (s *Scratch) environ(index string) []string {
	objects := s.objects
	if strings.ContainsAny(objects, `:"`) { // it would be read as several, or as quoted
		objects = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(objects) + `"`
	}
	return []string{
		"GIT_INDEX_FILE=" + s.Path(index), "GIT_OBJECT_DIRECTORY=" + s.Path("objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + objects,
	}
}

// Snapshot is all that a worktree holds at one moment, committed or not; ignored files are left out.
type Snapshot struct {
	Tree     string   // among the objects of the scratch folder
	Head     string   // the commit that is checked out
	Unmerged []string // files in the middle of a merge: the tree has them as they lie there
}

// Snapshot reads a worktree of the checkout, whose index, HEAD and objects stay as they are. Files
// that git is told to treat as unchanged are an error: whether they have changed is not known.
func (r Repository) Snapshot(ctx context.Context, s *Scratch, path string) (Snapshot, error) {
	at, err := r.at(ctx, path)
	if err != nil {
		return Snapshot{}, err
	}
	return r.snapshot(ctx, at, s.environ("index"), s.Path("index"))
}

// place is a worktree with git's folder for it, wherever its files say that is.
type place struct{ admin, folder string }

// at finds a worktree, which may be the checkout's own.
func (r Repository) at(ctx context.Context, path string) (place, error) {
	if path != r.Checkout.Top {
		admin := r.admin(ctx, r.Checkout.Top, path)
		if admin == "" {
			return place{}, fmt.Errorf("look at the worktree %s: git does not know it", path)
		}
		return place{admin, path}, nil
	}
	admin, err := r.run(ctx, path, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return place{}, fmt.Errorf("look at the checkout %s: %w", path, err)
	}
	return place{strings.TrimSuffix(admin, "\n"), path}, nil
}

func (p place) args(args ...string) []string {
	return append([]string{"--git-dir=" + p.admin, "--work-tree=" + p.folder}, args...)
}

// snapshotScript says which commit is checked out, and of which tree all files are. The arguments say
// what is left out.
const snapshotScript = `
git rev-parse --verify "HEAD^{commit}" || exit
[ "$(git config --bool core.sparseCheckout)" = true ] && sparse=--sparse || sparse=
git add --all $sparse -- :/ "$@" && git write-tree`

func (r Repository) snapshot(ctx context.Context, at place, environ []string, index string) (Snapshot, error) {
	var s Snapshot
	wrong := func(err error) (Snapshot, error) {
		return Snapshot{}, fmt.Errorf("look at the worktree %s: %w", at.folder, err)
	}
	if err := CopyIndex(filepath.Join(at.admin, "index"), index); err != nil {
		return wrong(err)
	}
	listed, err := r.runUnder(ctx, environ, at.folder, at.args("ls-files", "--stage", "-v", "-z")...)
	if err != nil {
		return wrong(err)
	}
	l := listedIn(listed)
	if l.Unchanged != "" {
		return wrong(fmt.Errorf("git is told to treat %s as unchanged, whatever is in it", l.Unchanged))
	}
	s.Unmerged = l.Unmerged
	text, err := r.script(ctx, scripted{folder: at.folder, environ: slices.Concat(at.environ(), environ)}, snapshotScript, excluded(l.Repositories)...)
	if err != nil {
		return wrong(err)
	}
	lines := strings.Fields(text)
	if len(lines) != 2 {
		return wrong(fmt.Errorf("git says %q, which is not understood", text))
	}
	s.Head, s.Tree = lines[0], lines[1]
	return s, nil
}

// CopyIndex copies an index, with the time of its file: what was changed since is told by that.
func CopyIndex(from, to string) error {
	text, err := regular.Read(from, longestIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// checkHolds returns an error if a worktree holds anything but a tree, ignored files left out.
func (r Repository) checkHolds(ctx context.Context, at place, tree string) error {
	scratch, err := r.NewScratch(ctx, filepath.Dir(at.folder))
	if err != nil {
		return err
	}
	defer scratch.Remove()
	now, err := r.snapshot(ctx, at, scratch.environ("index"), scratch.Path("index"))
	if err != nil {
		return err
	}
	if now.Tree == tree {
		return nil
	}
	wanted, err := r.runUnder(ctx, scratch.environ("index"), r.Checkout.Top, "rev-parse", "--verify", "--quiet", tree+"^{tree}")
	if unknown := (*Failed)(nil); errors.As(err, &unknown) || err == nil && now.Tree != strings.TrimSpace(wanted) {
		return ErrHolds // it is a tree that was read earlier, and not kept
	}
	return err
}
