package landing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/worktree"
	"pawl/tools/git"
	"pawl/tools/process"
)

// scene is a checkout with a subagent's worktree.
type scene struct {
	t    *testing.T
	top  string
	note worktree.Note
	read func(hash string) ([]byte, error)
}

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n"

func newScene(t *testing.T, files map[string]string) *scene {
	t.Helper()
	below, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := &scene{t: t, top: filepath.Join(below, "shop")}
	require.NoError(t, os.Mkdir(s.top, 0o700))
	s.git("init", "-q", "-b", "main")
	if files == nil {
		files = map[string]string{"poem.txt": poem, "cart.go": "package cart\n"}
	}
	for name, text := range files {
		put0(t, s.top, name, text)
	}
	s.git("add", ".")
	s.git("commit", "-qm", "begin")
	return s
}

// began makes the worktree, when the checkout is as it should be.
func (s *scene) began() *scene {
	s.t.Helper()
	s.note = worktree.Note{
		Path: filepath.Join(filepath.Dir(s.top), "worktrees", "root", "cart-1"), Branch: "pawl/cart-1", Top: s.top, Folder: s.top,
		Base: strings.TrimSpace(s.git("rev-parse", "HEAD")), Session: "root", Agent: "agent", Ready: true,
	}
	s.git("worktree", "add", "-q", "-b", s.note.Branch, s.note.Path)
	return s
}

func (s *scene) git(args ...string) string { return gittest.Run(s.t, s.top, args...) }

func (s *scene) inTree(args ...string) string { return gittest.Run(s.t, s.note.Path, args...) }

// here and there write a file of the folder, or of the worktree.
func (s *scene) here(name, text string)  { put0(s.t, s.top, name, text) }
func (s *scene) there(name, text string) { put0(s.t, s.note.Path, name, text) }

func put0(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func (s *scene) repository() git.Repository {
	return git.Repository{Checkout: git.Look(s.top), Folder: s.top, Launcher: &process.Launcher{}}
}

func (s *scene) plan(picks ...Pick) *Plan {
	s.t.Helper()
	p, err := Make(s.t.Context(), Source{Repository: s.repository(), Note: s.note, Scratch: s.t.TempDir(), Read: s.read}, Choice{picks})
	require.NoError(s.t, err)
	s.t.Cleanup(p.Close)
	return p
}

// file is the only file of a plan.
func (s *scene) file(picks ...Pick) File {
	s.t.Helper()
	files := s.plan(picks...).Files
	require.Len(s.t, files, 1)
	return files[0]
}

// merged is what a file is to hold.
func merged(t *testing.T, f File) string {
	t.Helper()
	require.Equal(t, Lands, f.State, f.Why)
	require.NotEmpty(t, f.puts)
	text, err := os.ReadFile(f.puts[0].content)
	require.NoError(t, err)
	return string(text)
}

func replaced(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

// gitMayFail runs git where it is to end with an error.
func gitMayFail(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
	cmd.Dir = folder
	out, _ := cmd.CombinedOutput()
	return string(out)
}
