package folderwatch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

// bench is a folder that is watched.
type bench struct {
	*testing.T
	folder string
	store  *filestore.Store
	watch  *Watch
	end    func() // of the watch
}

// watched watches a folder, which is a checkout where git can be asked.
func watched(t *testing.T, folder string) *bench {
	t.Helper()
	return watchedBy(t, folder, false)
}

// watchedBy does so with or without what the kernel tells.
func watchedBy(t *testing.T, folder string, deaf bool) *bench {
	t.Helper()
	folder, err := filepath.EvalSymlinks(folder)
	require.NoError(t, err)
	b := &bench{T: t, folder: folder, store: filestore.New(filepath.Join(t.TempDir(), "kept"))}
	b.Cleanup(func() { b.store.Close() })
	set := NewSet(Options{Store: b.store, deaf: deaf, Repository: func() (git.Repository, error) {
		return git.Repository{Checkout: git.Look(folder), Folder: folder, Launcher: &process.Launcher{}}, nil
	}})
	b.end = set.Close
	b.Cleanup(b.end)
	b.watch, _ = set.Use(folder)
	b.settle()
	return b
}

// settle waits until a refresh has taken in all that stands there.
func (b *bench) settle() {
	b.Helper()
	b.watch.background.Wait()
	b.watch.mu.Lock()
	b.watch.looked = b.watch.looked.Add(-freshFor)
	b.watch.mu.Unlock()
	b.watch.Refresh()
	b.watch.background.Wait()
	require.Empty(b, b.watch.Unwatched())
}

func (b *bench) write(name, text string) {
	b.Helper()
	at := filepath.Join(b.folder, name)
	require.NoError(b, os.MkdirAll(filepath.Dir(at), 0o755))
	require.NoError(b, os.WriteFile(at, []byte(text), 0o644))
}

// begin begins a command, which starts once what nobody else has is kept, however long that takes.
func (b *bench) begin(ctx context.Context) *Command {
	c := b.watch.Begin(ctx, "run", "call")
	b.watch.background.Wait()
	return c
}

// bash runs a command line as one command, and gives what it changed.
func (b *bench) bash(line string) *lifecycle.FilesChanged {
	b.Helper()
	c := b.begin(b.Context())
	b.plain(line)
	return c.End(b.Context())
}

// plain runs a command line that nobody watches.
func (b *bench) plain(line string) {
	b.Helper()
	command := exec.CommandContext(b.Context(), "bash", "-ec", line)
	command.Dir = b.folder
	command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@loopback.example", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@loopback.example")
	out, err := command.CombinedOutput()
	require.NoError(b, err, "%s: %s", line, out)
}

// told puts changes into lines: path, what it held, what it holds, and why it is not covered.
func (b *bench) told(changed *lifecycle.FilesChanged) (lines []string) {
	b.Helper()
	if changed == nil {
		return nil
	}
	require.Empty(b, changed.Unwatched)
	for _, one := range changed.Files {
		line := one.Path + ": " + b.content(one.Before) + " -> " + b.content(one.After)
		if one.Uncovered != "" {
			line += " (" + one.Uncovered + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func (b *bench) content(s lifecycle.FileState) string {
	b.Helper()
	if s.Kind == lifecycle.FileNone {
		return "none"
	}
	if s.Hash == "" {
		return "?"
	}
	text, err := b.store.Read(s.Hash)
	require.NoError(b, err)
	require.Equal(b, s.Size, int64(len(text)))
	said := strings.ReplaceAll(string(text), "\n", "|")
	if s.Kind == lifecycle.FileLink {
		return "@" + said
	}
	if s.Mode&0o111 != 0 {
		said += "*"
	}
	return said
}

// inBothWays runs a test with and without what the kernel tells.
func inBothWays(t *testing.T, test func(t *testing.T, deaf bool)) {
	t.Helper()
	t.Run("told", func(t *testing.T) { test(t, false) })
	t.Run("not told", func(t *testing.T) { test(t, true) })
}

func TestWhatACommandChangesIsToldWithWhatStoodThereBefore(t *testing.T) {
	inBothWays(t, testWhatACommandChanges)
}

func testWhatACommandChanges(t *testing.T, deaf bool) {
	b := watchedBy(t, gittest.Checkout(t), deaf)
	b.write("notes.txt", "mine\n")
	b.write("dir/a.txt", "a\n")
	b.settle()
	for _, one := range []struct {
		name, line string
		want       []string
	}{
		{"nothing", "true", nil},
		{"reading", "cat calc.go README.md >/dev/null; git status >/dev/null", nil},
		{"sed", "sed -i s/numbers/figures/ README.md", []string{"README.md: # Calc||Adds numbers.| -> # Calc||Adds figures.|"}},
		{"again", "sed -i s/figures/digits/ README.md", []string{"README.md: # Calc||Adds figures.| -> # Calc||Adds digits.|"}},
		{"git", "git checkout -q README.md", []string{"README.md: # Calc||Adds digits.| -> # Calc||Adds numbers.|"}},
		{"untracked", "echo yours > notes.txt", []string{"notes.txt: mine| -> yours|"}},
		{"append", "echo more >> notes.txt", []string{"notes.txt: yours| -> yours|more|"}},
		{"touch", "touch calc.go notes.txt dir", nil},
		{"new", "mkdir -p new/deep; echo x > new/deep/x", []string{"new/deep/x: none -> x|"}},
		{"mode", "chmod +x notes.txt", []string{"notes.txt: yours|more| -> yours|more|*"}},
		{"modeOfGits", "chmod +x README.md", []string{"README.md: # Calc||Adds numbers.| -> # Calc||Adds numbers.|*"}},
		{"move", "mv notes.txt dir/b.txt", []string{"dir/b.txt: none -> yours|more|*", "notes.txt: yours|more|* -> none"}},
		{"moveFolder", "mv dir moved", []string{"dir/a.txt: a| -> none", "dir/b.txt: yours|more|* -> none", "moved/a.txt: none -> a|", "moved/b.txt: none -> yours|more|*"}},
		{"swapFolder", "mv moved old; mkdir moved; echo z > moved/a.txt; rm -r old", []string{"moved/a.txt: a| -> z|", "moved/b.txt: yours|more|* -> none"}},
		{"link", "ln -s calc.go link", []string{"link: none -> @calc.go"}},
		{"relink", "ln -sfn README.md link", []string{"link: @calc.go -> @README.md"}},
		{"linkToFile", "rm link; echo f > link", []string{"link: @README.md -> f|"}},
		{"hardlink", "ln moved/a.txt hard", []string{"hard: none -> z|"}},
		{"fileToFolder", "rm link; mkdir link; echo i > link/i", []string{"link: f| -> none", "link/i: none -> i|"}},
		{"folderToFile", "rm -r link; echo f > link", []string{"link: none -> f|", "link/i: i| -> none"}},
		{"remove", "rm -r new calc.go", []string{"calc.go: package calc||func Add(a, b int) int { return a + b }| -> none", "new/deep/x: x| -> none"}},
		{"undone", "echo x > tmp; rm tmp; mv hard h; mv h hard", nil},
	} {
		require.Equal(t, one.want, b.told(b.bash(one.line)), one.name)
	}
	require.Nil(t, b.bash("true"))
}
