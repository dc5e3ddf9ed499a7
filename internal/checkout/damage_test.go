package checkout

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/worktree"
	"pawl/tools/git"
)

// forged is a commit of a tree with one file, of any name, that git itself would not make.
func forged(t *testing.T, top string, names ...string) string {
	t.Helper()
	blob := gitOf(t, top, "rev-parse", "HEAD:cart.go")
	raw := func(id string) string {
		var b strings.Builder
		for i := 0; i < len(id); i += 2 {
			var one byte
			_, err := fmt.Sscanf(id[i:i+2], "%02x", &one)
			require.NoError(t, err)
			b.WriteByte(one)
		}
		return b.String()
	}
	entry, id := "100755 ", blob
	for i, name := range slices.Backward(names) {
		file := filepath.Join(t.TempDir(), "tree")
		require.NoError(t, os.WriteFile(file, []byte(entry+name+"\x00"+raw(id)), 0o600))
		id = gitOf(t, top, "hash-object", "-t", "tree", "-w", "--literally", file)
		if entry = "40000 "; i == 0 {
			break
		}
	}
	return gitOf(t, top, "commit-tree", id, "-p", "HEAD", "-m", "forged")
}

func TestFilesThatWouldLeaveACheckoutAreRefusedOnBothSides(t *testing.T) {
	for _, names := range [][]string{{".git", "hooks", "post-checkout"}, {"..", "..", "evil"}, {".GIT", "config"}, {"sub", ".git"}, {"a/../../evil"}, {"git~1", "x"}} {
		top := checkout(t)
		s := newScene(t, top, "")
		run := s.run("x")
		evil := forged(t, top, names...)
		ref := s.send(run)
		r, err := s.trees.Repository("")
		require.NoError(t, err)
		file, _, err := bundled(t.Context(), t.TempDir(), header{holds: map[string]string{headRef: evil}, needs: []string{ref.Head}}, func(ctx context.Context, to *os.File) error {
			return r.Pack(ctx, to, []string{evil}, []string{ref.Head})
		})
		require.NoError(t, err)
		name := nameOf(ref.Repository, evil, ref.Head)
		require.NoError(t, s.checkouts.Put(t.Context(), name, file))
		file.Close()
		there := ref
		there.Files, there.Bundles = evil, append(slices.Clone(ref.Bundles), name)
		_, err = s.cache.Receive(t.Context(), s.checkouts, there, filepath.Join(s.work, "run"))
		require.ErrorContains(t, err, "invalid path", names)
		require.NotContains(t, err.Error(), "\n")
		require.NoDirExists(t, filepath.Join(s.work, "run"))

		c := s.receive(ref, "one") // and home
		put(t, c.Place.Top, "mine.go", "mine\n")
		result := s.result(c, "one")
		file, _, err = bundled(t.Context(), t.TempDir(), header{holds: map[string]string{filesRef: evil, headRef: ref.Head}, needs: []string{ref.Head}}, func(ctx context.Context, to *os.File) error {
			return r.Pack(ctx, to, []string{evil}, []string{ref.Head})
		})
		require.NoError(t, err)
		require.NoError(t, s.results.Put(t.Context(), result.Bundle, file))
		file.Close()
		result.Files, result.Head = evil, ref.Head
		left, err := s.home.Return(t.Context(), run, &result)
		require.ErrorContains(t, err, "invalid path", names)
		require.ErrorContains(t, err, result.Bundle)
		require.NotContains(t, err.Error(), "\n")
		require.Nil(t, left)
		require.NoDirExists(t, run.Folder)
		require.NotContains(t, gittest.Run(t, top, "branch", "--list")+gittest.Run(t, top, "worktree", "list"), "pawl/", "nothing is left of it")
		require.Contains(t, s.results.holds, result.Bundle, "and what came stays in the store")
		require.NoFileExists(t, filepath.Join(top, ".git/hooks/post-checkout"))
	}
}

func TestARefThatWouldLeaveACheckoutIsRefused(t *testing.T) {
	s := newScene(t, checkout(t), "")
	good := s.send(s.run("x"))
	for what, spoil := range map[string]func(*Ref){
		"outside of its checkout": func(r *Ref) { r.Within = "../../etc" },
		"outside":                 func(r *Ref) { r.Within = "/etc" },
		"is no commit":            func(r *Ref) { r.Head = "--upload-pack=evil" },
		"no commit":               func(r *Ref) { r.Repository = "../../../tmp" },
		"names no commit":         func(r *Ref) { r.Head = "" },
		"is no bundle":            func(r *Ref) { r.Bundles = []string{"../evil"} },
		"of its repository":       func(r *Ref) { r.Bundles[0] = strings.Repeat("a", 40) + r.Bundles[0][40:] },
		"is no name of a branch":  func(r *Ref) { r.Branch = "../../HEAD" },
		"no name of a branch":     func(r *Ref) { r.Branch = "a\nb" },
		"no plain name":           func(r *Ref) { r.Line = "../../config" },
	} {
		bad := good
		bad.Bundles = slices.Clone(good.Bundles)
		spoil(&bad)
		_, err := s.cache.Receive(t.Context(), s.checkouts, bad, filepath.Join(s.work, "run"))
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "cannot be used")
		result := Result{Ref: bad, Bundle: "x", Head: good.Head, Files: good.Head}
		_, err = s.home.Return(t.Context(), s.run("y"), &result)
		require.ErrorContains(t, err, what)
	}
	for what, spoil := range map[string]func(*Result){
		"no plain name of a branch": func(r *Result) { r.Branches = map[string]string{"../main": good.Head} },
		"no commit":                 func(r *Result) { r.Files = "HEAD" },
		"is no commit":              func(r *Result) { r.Branches = map[string]string{"main": "main"} },
	} {
		bad := Result{Ref: good, Bundle: "x", Head: good.Head, Files: good.Head}
		spoil(&bad)
		_, err := s.home.Return(t.Context(), s.run("y"), &bad)
		require.ErrorContains(t, err, what)
	}
	_, err := s.cache.Receive(t.Context(), s.checkouts, good, s.work)
	require.ErrorContains(t, err, "something is there already")
}

func TestABundleThatDoesNotApplyIsOneLine(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	ref := s.send(s.run("x"))
	last := ref.Bundles[len(ref.Bundles)-1]
	good := s.checkouts.holds[last]
	id := strings.Repeat("a", 40)
	for what, bad := range map[string][]byte{
		"no bundle of git's":                []byte("<html>404</html>"),
		"it is no bundle":                   nil,
		"something else than its name":      bytes.Replace(good, []byte(ref.Files), []byte(id), 1),
		"holds something else":              bytes.Replace(good, []byte("-"+ref.Head), []byte("-"+id), 1),
		"which is no part of a checkout":    bytes.Replace(good, []byte(headRef), []byte("refs/heads/main"), 1),
		"no part of a checkout":             bytes.Replace(good, []byte(headRef), []byte("../../config"), 1),
		"git: ":                             good[:len(good)-30],
		"holds no pack":                     bytes.Replace(good, []byte("PACK"), []byte("PICK"), 1),
		"does not apply":                    append(bytes.Clone(good[:len(good)-10]), "0123456789"...),
		"Not a valid object name " + id[:4]: bytes.ReplaceAll(good, []byte(ref.Files), []byte(id)),
	} {
		s.checkouts.holds[last] = bad
		there := ref
		if strings.HasPrefix(what, "Not a valid") {
			there.Files = id
			name := nameOf(ref.Repository, id, ref.Head)
			there.Bundles = append(slices.Clone(ref.Bundles[:len(ref.Bundles)-1]), name)
			s.checkouts.holds[name] = bad
		}
		_, err := s.cache.Receive(t.Context(), s.checkouts, there, filepath.Join(s.work, "run"))
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "make the checkout of the job")
		require.NotContains(t, err.Error(), "\n", what)
		require.NoDirExists(t, filepath.Join(s.work, "run"))
	}
	delete(s.checkouts.holds, last)
	_, err := s.cache.Receive(t.Context(), s.checkouts, ref, filepath.Join(s.work, "run"))
	require.ErrorContains(t, err, "get "+last+" from the server's store")
	s.checkouts.holds[last] = good
	s.receive(ref, "one")
}

func TestAnObjectThatIsReplacedWhileItIsReadIsReadAgain(t *testing.T) {
	s := newScene(t, checkout(t), "")
	ref := s.send(s.run("x"))
	s.checkouts.cut = 2
	s.receive(ref, "one")
	s.checkouts.cut = 3
	other := NewCache(t.TempDir(), s.cache.git.Launcher)
	_, err := other.Receive(t.Context(), s.checkouts, ref, filepath.Join(s.work, "run"))
	require.ErrorContains(t, err, "unexpected EOF")
}

func TestACacheThatIsDamagedIsMadeAnew(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	ref := s.send(s.run("x"))
	first := s.receive(ref, "first") // it stays at work meanwhile
	damage := map[string]func(pack string){
		"cut":      func(pack string) { require.NoError(t, os.Truncate(pack, 40)) },
		"gone":     func(pack string) { require.NoError(t, os.Remove(pack)) },
		"no index": func(pack string) { require.NoError(t, os.Remove(strings.TrimSuffix(pack, "pack")+"idx")) },
		"other bytes": func(pack string) {
			text, err := os.ReadFile(pack)
			require.NoError(t, err)
			for i := 12; i < len(text)-20; i++ {
				text[i] ^= 0x55
			}
			require.NoError(t, os.Chmod(pack, 0o600))
			require.NoError(t, os.WriteFile(pack, text, 0o600))
		},
	}
	for name, act := range damage {
		generations := s.cache.generations(ref.Repository)
		folder := s.cache.generation(ref.Repository, generations[len(generations)-1])
		packs, err := filepath.Glob(filepath.Join(git.PackFolder(folder), "*.pack"))
		require.NoError(t, err)
		require.NotEmpty(t, packs)
		for _, pack := range packs {
			require.NoError(t, os.Chmod(filepath.Dir(pack), 0o700))
			act(pack)
		}
		c := s.receive(ref, name)
		want := all(t, top)
		delete(want, "built.o")
		require.Equal(t, want, all(t, c.Place.Top), name)
		require.Equal(t, "second\nfirst", gitOf(t, c.Place.Top, "log", "--format=%s"))
		require.NoError(t, c.Close(false))
	}
	require.DirExists(t, s.cache.generation(ref.Repository, 1), "a run is at work with it")
	require.NoError(t, first.Close(false))
	s.cache.Sweep()
	require.Len(t, s.cache.generations(ref.Repository), 1)
}

func TestAResultThatDoesNotApplyLeavesNothingAndStaysInTheStore(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	put(t, c.Place.Top, "mine.go", "mine\n")
	result := s.result(c, "one")
	good := s.results.holds[result.Bundle]
	foreign := checkout(t)
	gittest.Run(t, foreign, "commit", "-q", "--allow-empty", "-m", "elsewhere")
	lost := gitOf(t, foreign, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "its parent is nowhere")
	r := git.Repository{Checkout: git.Look(foreign), Folder: foreign, Launcher: s.cache.git.Launcher}
	file, _, err := bundled(t.Context(), t.TempDir(), header{holds: map[string]string{filesRef: lost, headRef: result.Head}, needs: []string{result.Ref.Head}}, func(ctx context.Context, to *os.File) error {
		return r.Pack(ctx, to, []string{lost}, []string{gitOf(t, foreign, "rev-parse", "HEAD")})
	})
	require.NoError(t, err)
	lacking, err := os.ReadFile(file.Name())
	if err != nil { // it has no name any more
		lacking = make([]byte, 1<<20)
		n, _ := file.ReadAt(lacking, 0)
		lacking = lacking[:n]
	}
	file.Close()
	for what, bad := range map[string][]byte{
		"no bundle of git's":  []byte("nothing"),
		"other commits":       bytes.Replace(good, []byte(result.Files+" "), []byte(strings.Repeat("b", 40)+" "), 1),
		"which was not sent":  bytes.Replace(good, []byte("-"+result.Ref.Head), []byte("-"+lost), 1),
		"does not apply: git": good[:len(good)-10],
		"not there":           lacking,
	} {
		s.results.holds[result.Bundle] = bad
		told := result
		if what == "not there" {
			told.Files = lost
		}
		left, err := s.home.Return(t.Context(), run, &told)
		require.ErrorContains(t, err, what)
		require.ErrorContains(t, err, "in the server's store pawl_results has it")
		require.NotContains(t, err.Error(), "\n")
		require.Nil(t, left)
		require.NoDirExists(t, run.Folder)
		require.NotContains(t, gittest.Run(t, top, "branch", "--list"), "pawl/")
	}
	s.results.holds[result.Bundle] = good
	require.True(t, s.back(run, result).Kept, "when it is whole it is taken")
}

func TestWhatGitHasForgottenAtHomeMeanwhileComesFromTheStore(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	put(t, c.Place.Top, "mine.go", "mine\n")
	result := s.result(c, "one")
	gittest.Run(t, top, "commit", "-q", "--amend", "-m", "another second")
	gittest.Run(t, top, "reflog", "expire", "--expire=now", "--all")
	gittest.Run(t, top, "gc", "-q", "--prune=now")
	r, err := s.trees.Repository("")
	require.NoError(t, err)
	has, err := r.HasCommit(t.Context(), result.Ref.Files)
	require.NoError(t, err)
	require.False(t, has, "else this proves nothing")
	left := s.back(run, result)
	require.Equal(t, 1, left.Files)
	require.Equal(t, "mine\n", text(t, left.Path, "mine.go"))
}

func TestAReturnThatWasCutOffIsBegunAnew(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	put(t, c.Place.Top, "mine.go", "mine\n")
	gittest.Run(t, c.Place.Top, "add", "mine.go")
	gittest.Run(t, c.Place.Top, "commit", "-q", "-m", "mine", "mine.go")
	put(t, c.Place.Top, "more.go", "more\n")
	want := all(t, c.Place.Top)
	result := s.result(c, "one")
	bundle := s.results.holds[result.Bundle]
	s.back(run, result)
	note, _, err := worktree.ReadNote(run.Folder)
	require.NoError(t, err)
	note.Ready = false // as while it was made
	require.NoError(t, note.Save())
	require.NoError(t, os.Remove(filepath.Join(run.Folder, "cart.go")))
	s.restart("")
	left := s.back(run, result) // the store has nothing any more, the repository has it
	require.Equal(t, want, all(t, left.Path))
	require.Equal(t, 1, left.Commits)

	again := run
	again.ID = "run-again"
	c = s.receive(s.send(again), "two")
	put(t, c.Place.Top, "more.go", "even more\n")
	require.NoError(t, os.Remove(filepath.Join(c.Place.Top, "mine.go")))
	want = all(t, c.Place.Top)
	result = s.result(c, "two")
	note, _, err = worktree.ReadNote(run.Folder)
	require.NoError(t, err)
	note.Returning = again.ID // as while it was brought up to date
	require.NoError(t, note.Save())
	require.NoError(t, os.Remove(filepath.Join(run.Folder, "cart.go")))
	put(t, run.Folder, "more.go", "half")
	s.restart("")
	left = s.back(again, result)
	require.Equal(t, want, all(t, left.Path))
	require.NotEmpty(t, bundle)
}
