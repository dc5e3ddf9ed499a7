package changes

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/internal/gittest"
	"pawl/lifecycle"
)

// one is a file before and after: what it holds, whether it can be run, whether it is a link.
type one struct {
	path          string
	before, after string
	gone, came    bool // there was none before; there is none after
	modes         [2]uint32
	links         [2]bool
}

func (o one) change(s *exporttest.Story) lifecycle.FileChange {
	state := func(i int, content string) lifecycle.FileState {
		is := s.File(content)
		is.Mode = 0o644
		if o.modes[i] != 0 {
			is.Mode = o.modes[i]
		}
		if o.links[i] {
			is.Kind, is.Mode = lifecycle.FileLink, 0
		}
		return is
	}
	c := lifecycle.FileChange{Path: o.path}
	if !o.came {
		c.Before = state(0, o.before)
	}
	if !o.gone {
		c.After = state(1, o.after)
	}
	return c
}

// put makes a side of it in a folder.
func (o one) put(t *testing.T, folder string, i int) {
	t.Helper()
	path, content := filepath.Join(folder, filepath.FromSlash(o.path)), [2]string{o.before, o.after}[i]
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	switch {
	case [2]bool{o.came, o.gone}[i]:
	case o.links[i]:
		require.NoError(t, os.Symlink(content, path))
	default:
		mode := os.FileMode(0o644)
		if o.modes[i] != 0 {
			mode = os.FileMode(o.modes[i])
		}
		require.NoError(t, os.WriteFile(path, []byte(content), mode))
		require.NoError(t, os.Chmod(path, mode))
	}
}

// in is what stands in a folder, apart from git's.
func in(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		name, _ := filepath.Rel(folder, path)
		info, err := entry.Info()
		require.NoError(t, err)
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			found[name] = "link to " + target
			return err
		}
		content, err := os.ReadFile(path)
		found[name] = info.Mode().String() + " " + string(content)
		return err
	}))
	return found
}

func binary(seed uint64, size int) string {
	w, b := rand.New(rand.NewPCG(seed, 1)), make([]byte, size)
	for i := range b {
		b[i] = byte(w.Uint32())
	}
	return "\x00" + string(b)
}

// Git applies the patch to the folder as it was, and gets the folder as it is; and back.
func TestGitAppliesThePatch(t *testing.T) {
	long := strings.Repeat("a line\n", 40)
	all := []one{
		{path: "text.go", before: long + "old\n" + long, after: long + "new\n" + long},
		{path: "new/deep/file", came: true, after: "here\n"},
		{path: "gone", before: "was\nhere\n", gone: true},
		{path: "empty", came: true},
		{path: "emptied", before: "something\n"},
		{path: "no end", before: "a\nb", after: "a\nc"},
		{path: "end", before: "a\nb", after: "a\nb\n"},
		{path: "dos.txt", before: "a\r\nb\r\n", after: "a\r\nc\r\n"},
		{path: "latin1", before: "caf\xe9\n", after: "th\xe9\n"},
		{path: "ünï cödé \"x\"\t.txt", before: "a\n", after: "b\n"},
		{path: "run.sh", before: "echo\n", after: "echo\n", modes: [2]uint32{0o644, 0o755}},
		{path: "run2.sh", before: "echo\n", after: "echo 2\n", modes: [2]uint32{0o644, 0o755}},
		{path: "link", before: "text.go", after: "gone", links: [2]bool{true, true}},
		{path: "linked", before: "a file\n", after: "text.go", links: [2]bool{false, true}},
		{path: "picture.png", before: binary(1, 500), after: binary(2, 7000)},
		{path: "picture2.png", came: true, after: binary(3, 27)},
		{path: "picture3.png", before: binary(4, 100), gone: true},
		{path: "# diff --git a/x b/x", before: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n", after: "-- \n++ y\n"},
	}
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Do it.", From: lifecycle.FromUser}, lifecycle.Started{})
	old, now := gittest.Checkout(t), t.TempDir()
	var changes []lifecycle.FileChange
	for _, o := range all {
		changes = append(changes, o.change(s))
		o.put(t, old, 0)
		o.put(t, now, 1)
	}
	s.Add(exporttest.Root, "r", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: s.Facts.Folder, Files: changes})
	var patch bytes.Buffer
	require.NoError(t, reportOf(t, s, s.Upto(), Filter{}).Patch(t.Context(), &patch))
	before, file := in(t, old), filepath.Join(t.TempDir(), "patch")
	require.NoError(t, os.WriteFile(file, patch.Bytes(), 0o600))
	gittest.Run(t, old, "apply", "--whitespace=nowarn", file)
	want := in(t, now)
	for name, holds := range before {
		if _, ours := want[name]; !ours && !strings.Contains(patch.String(), "a/"+name) {
			want[name] = holds // what the checkout had already
		}
	}
	require.Equal(t, want, in(t, old), patch.String())
	gittest.Run(t, old, "apply", "-R", "--whitespace=nowarn", file)
	require.Equal(t, before, in(t, old))
}

func TestAFileWithASecretStaysOutOfThePatch(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Secrets = []string{"correct horse battery staple"}
	s.Spawn(exporttest.Root, "r", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Do it.", From: lifecycle.FromUser}, lifecycle.Started{})
	s.Add(exporttest.Root, "r", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: s.Facts.Folder, Files: []lifecycle.FileChange{
		s.Change(".env", "", "KEY=correct horse battery staple\n"), s.Change("b", "", "plain\n"),
		s.Change("keys.db", "", "\x00\x01correct horse battery staple\x00"),
	}})
	var patch bytes.Buffer
	require.NoError(t, reportOf(t, s, s.Upto(), Filter{}).Patch(t.Context(), &patch))
	require.NotContains(t, patch.String(), "correct horse")
	require.Contains(t, patch.String(), "# Not in this patch: .env: it holds a secret\n")
	require.Contains(t, patch.String(), "# Not in this patch: keys.db: it holds a secret\n")
	require.NotContains(t, patch.String(), "GIT binary patch")
	require.Contains(t, patch.String(), "+plain\n")
}

func TestWhatIsElsewhereIsNamedInThePatch(t *testing.T) {
	s := exporttest.Everything(t)
	var patch bytes.Buffer
	require.NoError(t, reportOf(t, s, s.Upto(), Filter{}).Patch(t.Context(), &patch))
	require.Contains(t, patch.String(), "# Not in this patch: cart.go, which is in /data/worktrees/")
	require.Contains(t, patch.String(), "# Not in this patch: data.bin: not covered: larger than 64 MB\n")
	require.Contains(t, patch.String(), "more than 100,000 files")
}
