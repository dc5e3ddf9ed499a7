package tools

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/workspace"
)

// outside makes a folder beside the workspace that no tool may reach.
func outside(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	put(t, folder, "secret.txt", "outer secret\n")
	return folder
}

func TestNothingOutsideTheFolderIsReached(t *testing.T) {
	w := plant(t, "-- in/a.txt --\ninner\n")
	out := outside(t)
	link := func(target, name string) {
		require.NoError(t, os.Symlink(target, filepath.Join(w.Folder(), name)))
	}
	link(filepath.Join(out, "secret.txt"), "file-out")
	link(out, "folder-out")
	link("../"+filepath.Base(filepath.Dir(out)), "up")
	link("in/../../x", "dots")
	link("loop-b", "loop-a")
	link("loop-a", "loop-b")
	paths := []string{
		"..", "../x", "in/../../x", "/etc/passwd", out, filepath.Join(out, "secret.txt"), w.Folder() + "x/a",
		"file-out", "folder-out", "folder-out/secret.txt", "folder-out/new.txt", "up/x", "dots", "loop-a", "a\x00b", "in\n/../../x",
	}
	tools := map[string]func(path string) (agent.Tool, args){
		"read":  func(path string) (agent.Tool, args) { return Read(w), args{"path": path} },
		"write": func(path string) (agent.Tool, args) { return Write(w), args{"path": path, "content": "x"} },
		"edit": func(path string) (agent.Tool, args) {
			return Edit(w), args{"path": path, "edits": []args{{"old": "secret", "new": "x"}}}
		},
		"list": func(path string) (agent.Tool, args) { return List(w), args{"path": path} },
		"glob": func(path string) (agent.Tool, args) { return Glob(w), args{"pattern": "**", "path": path} },
		"grep": func(path string) (agent.Tool, args) { return Grep(w, nil), args{"pattern": ".", "path": path} },
	}
	for name, tool := range tools {
		for _, path := range paths {
			t.Run(fmt.Sprintf("%s %q", name, path), func(t *testing.T) {
				text := refused(t, first(tool(path)), second(tool(path)))
				require.NotContains(t, text, "outer secret")
			})
		}
	}
	require.Contains(t, refused(t, Glob(w), args{"pattern": "../**"}), "outside the folder")
	require.Contains(t, refused(t, Glob(w), args{"pattern": out + "/**"}), "outside the folder")
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := os.ReadFile(filepath.Join(out, "secret.txt"))
	require.NoError(t, err)
	require.Equal(t, "outer secret\n", string(data))
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

func TestPathsInsideAreFound(t *testing.T) {
	w := plant(t, "-- in/a.txt --\ninner\n")
	require.NoError(t, os.Symlink("in", filepath.Join(w.Folder(), "relative")))
	require.NoError(t, os.Symlink(filepath.Join(w.Folder(), "in"), filepath.Join(w.Folder(), "absolute")))
	require.NoError(t, os.Symlink("../absolute/a.txt", filepath.Join(w.Folder(), "in", "twice")))
	for _, path := range []string{
		"in/a.txt", "./in//a.txt", "in/../in/a.txt", filepath.Join(w.Folder(), "in/a.txt"),
		"relative/a.txt", "absolute/a.txt", "in/twice", filepath.Join(w.Folder(), "absolute/twice"),
	} {
		t.Run(path, func(t *testing.T) {
			located, err := w.Locate(path)
			require.NoError(t, err)
			require.Equal(t, "in/a.txt", located)
			require.Contains(t, done(t, Read(w), args{"path": path}).Text, "inner")
		})
	}
}

func TestFolderBehindALinkKeepsItsNames(t *testing.T) {
	real := t.TempDir()
	put(t, real, "a.txt", "inner\n")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(real, link))
	w, err := workspace.Open(link)
	require.NoError(t, err)
	defer w.Close()
	for _, folder := range []string{real, link} {
		done(t, Read(w), args{"path": filepath.Join(folder, "a.txt")})
		done(t, Glob(w), args{"pattern": folder + "/*.txt"})
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	w := plant(t, "-- a.txt --\nx\n")
	require.NoError(t, syscall.Mkfifo(filepath.Join(w.Folder(), "pipe"), 0o644))
	for _, tool := range []agent.Tool{Read(w), Grep(w, nil), Write(w), Edit(w)} {
		input := map[string]args{
			"read": {"path": "pipe"}, "grep": {"pattern": "x", "path": "pipe"}, "write": {"path": "pipe", "content": "x"},
			"edit": {"path": "pipe", "edits": []args{{"old": "x", "new": "y"}}},
		}[tool.Spec.Name]
		require.Contains(t, refused(t, tool, input), "pipe is a named pipe")
	}
	require.Contains(t, done(t, Grep(w, nil), args{"pattern": "x"}).Text, "a.txt")
	require.Contains(t, done(t, List(w), args{}).Text, "pipe  (named pipe)")
	require.NotContains(t, done(t, Glob(w), args{"pattern": "*"}).Text, "pipe")
	require.Contains(t, refused(t, Read(w), args{"path": "."}), "is a folder: use list")
}

func TestSaveKeepsTheModeAndBreaksHardLinks(t *testing.T) {
	w := plant(t, "-- run.sh --\nold\n")
	out := filepath.Join(t.TempDir(), "outer")
	path := filepath.Join(w.Folder(), "run.sh")
	require.NoError(t, os.Chmod(path, 0o750))
	require.NoError(t, os.Link(path, out))
	done(t, Edit(w), args{"path": "run.sh", "edits": []args{{"old": "old", "new": "new"}}})
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o750), info.Mode())
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "old\n", string(data), "an outside file under a hard link stays as it was")
}

func TestReadOnlyFilesStay(t *testing.T) {
	w := plant(t, "-- a.txt --\nold\n")
	require.NoError(t, os.Chmod(filepath.Join(w.Folder(), "a.txt"), 0o444))
	require.Contains(t, refused(t, Edit(w), args{"path": "a.txt", "edits": []args{{"old": "old", "new": "new"}}}), "read-only")
	require.Equal(t, "old\n", held(t, w, "a.txt"))
}

func TestUnreadableFilesSayWhy(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	w := plant(t, "-- a.txt --\nx\n")
	require.NoError(t, os.Chmod(filepath.Join(w.Folder(), "a.txt"), 0))
	require.Contains(t, refused(t, Read(w), args{"path": "a.txt"}), "permission denied")
}

func TestParallelEditsOfOneFileLoseNothing(t *testing.T) {
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("line %02d old", i))
	}
	w := plant(t, "-- a.txt --\n"+strings.Join(lines, "\n")+"\n")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			use(t, Edit(w), args{"path": "a.txt", "edits": []args{
				{"old": fmt.Sprintf("line %02d old", i), "new": fmt.Sprintf("line %02d new", i)},
			}})
		})
	}
	all.Wait()
	require.Equal(t, 20, strings.Count(held(t, w, "a.txt"), "new"))
}
