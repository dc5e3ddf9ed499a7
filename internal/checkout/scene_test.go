package checkout

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

// shelf is a store of objects in memory, which counts what was put.
type shelf struct {
	mu    sync.Mutex
	holds map[string][]byte
	put   int64
	cut   int // so many Gets end too early
}

func (s *shelf) Put(_ context.Context, name string, content io.Reader) error {
	text, err := io.ReadAll(content)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds[name], s.put = text, s.put+int64(len(text))
	return err
}

func (s *shelf) Get(_ context.Context, name string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, there := s.holds[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	if s.cut > 0 {
		s.cut--
		return io.NopCloser(io.MultiReader(strings.NewReader(string(text[:len(text)/2])), failing{})), nil
	}
	return io.NopCloser(strings.NewReader(string(text))), nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (s *shelf) Has(_ context.Context, name string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, there := s.holds[name]
	return there, nil
}

func (s *shelf) List(_ context.Context, prefix string) (names []string, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.holds {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (s *shelf) Delete(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.holds, name)
	return nil
}

func newShelf() *shelf { return &shelf{holds: map[string][]byte{}} }

// scene is a host with a checkout, a store, and a worker.
type scene struct {
	t                  testing.TB
	top                string
	checkouts, results *shelf
	trees              *worktree.Trees
	files              *filestore.Store
	home               *Home
	cache              *Cache
	work               string // a folder of the worker
	wait               func()
}

func realFolder(t testing.TB) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return folder
}

// newScene makes one of a checkout. folder is where the session is, below its top.
func newScene(t testing.TB, top, folder string) *scene {
	t.Helper()
	s := &scene{t: t, top: top, checkouts: newShelf(), results: newShelf(), work: realFolder(t)}
	s.restart(folder)
	s.cache = NewCache(filepath.Join(s.work, "cache"), &process.Launcher{})
	return s
}

// restart is a new process of the host, with the same data.
func (s *scene) restart(folder string) {
	below := filepath.Join(s.work, "worktrees")
	if s.trees != nil {
		s.wait()
	}
	var begun sync.WaitGroup
	s.wait = begun.Wait
	at := filepath.Join(s.top, folder)
	s.trees = worktree.New(worktree.Options{
		Session: "root", Folder: at, Below: below, Dirty: true, Go: begun.Go,
		Repository: func(lifecycle.RunID) (git.Repository, error) {
			return git.Repository{Checkout: git.Look(at), Folder: at, Launcher: &process.Launcher{}}, nil
		},
	})
	s.files = filestore.New(filepath.Join(s.work, "files"))
	s.home = NewHome(s.checkouts, s.results, s.trees, s.files)
	s.t.Cleanup(func() { begun.Wait(); _ = s.files.Close() })
}

// run is a run on another machine, as it was planned.
func (s *scene) run(name string) lifecycle.Run {
	s.t.Helper()
	folder, branch, err := s.trees.Plan(s.t.Context(), name)
	require.NoError(s.t, err)
	return lifecycle.Run{ID: lifecycle.RunID("run-" + name), Session: lifecycle.SessionID("agent-" + name), Spec: lifecycle.Spec{Root: "root", Folder: folder, Branch: branch, Description: name}}
}

func (s *scene) send(run lifecycle.Run) Ref {
	s.t.Helper()
	ref, err := s.home.Send(s.t.Context(), run)
	require.NoError(s.t, err)
	return ref
}

func (s *scene) receive(ref Ref, name string) *Checkout {
	s.t.Helper()
	c, err := s.cache.Receive(s.t.Context(), s.checkouts, ref, filepath.Join(s.work, "runs", name))
	require.NoError(s.t, err)
	return c
}

func (s *scene) result(c *Checkout, name string) Result {
	s.t.Helper()
	result, err := c.Result(s.t.Context(), s.results, name+"/1", filepath.Join(s.work, "runs", name+".files"))
	require.NoError(s.t, err)
	return result
}

func (s *scene) back(run lifecycle.Run, result Result) *lifecycle.Worktree {
	s.t.Helper()
	left, err := s.home.Return(s.t.Context(), run, &result)
	require.NoError(s.t, err)
	require.NotNil(s.t, left)
	return left
}

// whole is one run from end to end, in which something is done in its folder.
func (s *scene) whole(run lifecycle.Run, act func(c *Checkout)) *lifecycle.Worktree {
	s.t.Helper()
	c := s.receive(s.send(run), string(run.ID))
	act(c)
	result := s.result(c, string(run.ID))
	require.NoError(s.t, c.Close(true))
	return s.back(run, result)
}

func put(t testing.TB, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// all is what a folder holds, by path: what files hold, where links lead, and what can be run.
func all(t testing.TB, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git":
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			found[name] = "link " + to
			return err
		case entry.Type().IsRegular():
			text, err := os.ReadFile(path)
			info, _ := entry.Info()
			found[name] = string(text)
			if info.Mode()&0o100 != 0 {
				found[name] = "program " + string(text)
			}
			return err
		}
		return nil
	}))
	return found
}

// checkout is a checkout with two commits, files of all kinds, a subfolder, and changes that are staged,
// that are not, new, deleted and renamed.
func checkout(t testing.TB) string {
	t.Helper()
	top := realFolder(t)
	gittest.Run(t, top, "init", "-q", "-b", "main", ".")
	put(t, top, "cart.go", "one\ntwo\nthree\n")
	put(t, top, "sub/deep.go", "deep\n")
	put(t, top, "gone.go", "gone\n")
	put(t, top, "old name.go", "renamed\n")
	put(t, top, "run.sh", "#!/bin/sh\n")
	put(t, top, ".gitignore", "*.o\n.env\n")
	require.NoError(t, os.Chmod(filepath.Join(top, "run.sh"), 0o700))
	require.NoError(t, os.Symlink("cart.go", filepath.Join(top, "link")))
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "first")
	put(t, top, "second.go", "second\n")
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "second")
	return top
}

// dirty changes a checkout in all ways.
func dirty(t testing.TB, top string) {
	t.Helper()
	put(t, top, "cart.go", "staged\n")
	gittest.Run(t, top, "add", "cart.go")
	put(t, top, "cart.go", "changed after\n")
	put(t, top, "new.go", "new\n")
	put(t, top, "sub/ünïcode name.go", "new\n")
	put(t, top, "built.o", "ignored")
	require.NoError(t, os.Remove(filepath.Join(top, "gone.go")))
	gittest.Run(t, top, "mv", "old name.go", "new name.go")
	require.NoError(t, os.Chmod(filepath.Join(top, "sub/deep.go"), 0o700))
	require.NoError(t, os.Symlink("/nowhere", filepath.Join(top, "sub/away")))
}

func text(t testing.TB, parts ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(parts...))
	require.NoError(t, err)
	return string(content)
}

func gitOf(t testing.TB, folder string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(gittest.Run(t, folder, args...))
}
