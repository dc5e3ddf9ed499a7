package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools/outputs"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// keeping gives a folder's workspace that keeps outputs, and their folder.
func keeping(t *testing.T, archive string) (*workspace.Workspace, string) {
	t.Helper()
	w := plant(t, archive)
	folder := filepath.Join(t.TempDir(), "outputs", "session")
	w.Outputs = outputs.New(folder)
	t.Cleanup(func() { require.NoError(t, w.Outputs.Close()) })
	return w, folder
}

// keptPath finds in a result where the whole of it is.
func keptPath(t *testing.T, text string) string {
	t.Helper()
	found := regexp.MustCompile(`are left out here; (?:all of it is|its first .* are) in (\S+), for read and grep …\]`).FindStringSubmatch(text)
	require.NotNil(t, found, text)
	return found[1]
}

func TestLongOutputIsKeptWholeAndCanBeRead(t *testing.T) {
	for name, lines := range map[string]int{"held until its end": 6000, "more than is held": 60_000} {
		t.Run(name, func(t *testing.T) {
			w, folder := keeping(t, "")
			result := done(t, Shell(w, &process.Launcher{}, nil), args{"command": fmt.Sprintf("seq -f 'line %%.0f' %d", lines)})
			require.LessOrEqual(t, len([]rune(result.Text)), resultText)
			require.True(t, strings.HasPrefix(result.Text, "line 1\nline 2\n"))
			require.True(t, strings.HasSuffix(result.Text, fmt.Sprintf("line %d\n[exit code 0]", lines)))

			path := keptPath(t, result.Text)
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, lines, strings.Count(string(whole), "\n"))
			require.True(t, strings.HasSuffix(string(whole), fmt.Sprintf("line %d\n", lines)))
			require.Contains(t, result.Text, fmt.Sprintf("of %d bytes", len(whole)))

			require.Equal(t, "  4000\tline 4000\n  4001\tline 4001\n", firstLines(done(t, Read(w), args{"path": path, "offset": 4000, "limit": 2}).Text, 2))
			require.Equal(t, path+"\n4444: line 4444", done(t, Grep(w, nil), args{"path": path, "pattern": "e 4444$"}).Text)
			require.Equal(t, path+"\n4444: line 4444", done(t, Grep(w, nil), args{"path": folder, "pattern": "e 4444$"}).Text)
			require.Equal(t, path, done(t, Glob(w), args{"pattern": folder + "/*.txt"}).Text)
			require.Contains(t, done(t, List(w), args{"path": folder}).Text, filepath.Base(path))
		})
	}
}

func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[:n], "")
}

func TestWhatIsNotTooLongIsNotKept(t *testing.T) {
	w, folder := keeping(t, "")
	require.Equal(t, "short\n[exit code 0]", done(t, Shell(w, &process.Launcher{}, nil), args{"command": "echo short"}).Text)
	require.NoDirExists(t, filepath.Dir(folder))
}

func TestKeptOutputsAreReadOnlyAndThoseOfOthersClosed(t *testing.T) {
	w, folder := keeping(t, "-- a.txt --\nx\n")
	path := w.Outputs.Keep("shell", "whole\n").Path
	other := filepath.Join(filepath.Dir(folder), "other")
	put(t, other, "shell-x.txt", "theirs\n")
	require.NoError(t, os.Symlink(filepath.Join(other, "shell-x.txt"), filepath.Join(folder, "link.txt")))

	require.Equal(t, "     1\twhole\n", done(t, Read(w), args{"path": path}).Text)
	for text, result := range map[string]string{
		"is in the folder of kept outputs, which is read-only": refused(t, Write(w), args{"path": path, "content": "x"}),
		"which is read-only: name a file in the folder":        refused(t, Edit(w), args{"path": path, "edits": []args{{"old": "whole", "new": "x"}}}),
		"outside the folder":                  refused(t, Read(w), args{"path": filepath.Join(other, "shell-x.txt")}),
		"is outside the folder " + w.Folder(): refused(t, Grep(w, nil), args{"path": filepath.Dir(folder), "pattern": "theirs"}),
		"leads outside the folder":            refused(t, Read(w), args{"path": filepath.Join(folder, "link.txt")}),
		"shell-y.txt does not exist":          refused(t, Read(w), args{"path": filepath.Join(folder, "shell-y.txt")}),
	} {
		require.Contains(t, result, text)
	}
	require.Equal(t, "whole\n", held(t, w.ForReading(path), filepath.Base(path)))
}

func TestAGigabyteOfOutputNeedsLittleMemoryAndIsKeptUpToItsBound(t *testing.T) {
	w, _ := keeping(t, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result := done(t, Shell(w, &process.Launcher{}, nil), args{"command": "echo first; yes $(printf %0999d 7) | head -c 1073741824; echo; echo last", "timeout_ms": 600_000})
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
	require.True(t, strings.HasPrefix(result.Text, "first\n000"))
	require.True(t, strings.HasSuffix(result.Text, "\nlast\n[exit code 0]"))
	require.Contains(t, result.Text, "[… 1073712836 of 1073741836 bytes of output are left out here; its first 64.0 MB are in ")
	path := keptPath(t, result.Text)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(64<<20+200))
	text := done(t, Read(w), args{"path": path, "offset": 64 << 20 / 1000}).Text
	require.Contains(t, text, "[Pawl stopped keeping this output here: it is longer than the 64.0 MB that are kept]")
}

func TestAResultComesAlsoWhereTheWholeCannotBeKept(t *testing.T) {
	w := plant(t, "-- file --\n")
	w.Outputs = outputs.New(filepath.Join(w.Folder(), "file", "session"))
	for _, lines := range []int{9000, 60_000} {
		text := done(t, Shell(w, &process.Launcher{}, nil), args{"command": fmt.Sprintf("seq %d", lines)}).Text
		require.True(t, strings.HasPrefix(text, "1\n2\n"))
		require.Contains(t, text, "bytes of output are left out here; the whole of it could not be kept: not a directory …]")
		require.True(t, strings.HasSuffix(text, fmt.Sprintf("%d\n[exit code 0]", lines)))
	}
}
