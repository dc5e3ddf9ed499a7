package tools

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/workspace"
)

// swapped keeps a name changing between what stands there and a link, until the test
// ends, and counts how often.
func swapped(t *testing.T, name, target string) *atomic.Int64 {
	t.Helper()
	aside, link := name+".aside", name+".link"
	require.NoError(t, os.Symlink(target, link))
	var times atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(name, aside) // whatever the tools did in between, the next round tries again
			_ = os.Rename(link, name)
			_ = os.Rename(name, link)
			_ = os.Rename(aside, name)
			times.Add(1)
		}
	}()
	t.Cleanup(func() { close(stop); <-stopped })
	return &times
}

// How often tools try to be led out: writing waits for the disk each time.
const (
	raceWrites = 40
	raceReads  = 10 // for each write
)

// While a folder and a file of the workspace are swapped with links to the outside,
// no tool reads, writes or lists anything there, however often it tries.
func TestAPathThatIsSwappedDuringACallLeadsNoToolOut(t *testing.T) {
	w := plant(t, "-- d/secret.txt --\ninner\n-- d/shot.png --\n-- f --\ninner\n")
	out := outside(t)
	put(t, w.Folder(), "d/shot.png", drawing(t, 1, 1))
	put(t, out, "shot.png", drawing(t, 7, 7))
	put(t, out, "outer-name", "x")
	times := swapped(t, filepath.Join(w.Folder(), "d"), out)
	swapped(t, filepath.Join(w.Folder(), "f"), filepath.Join(out, "secret.txt"))
	var got strings.Builder
	for try := 0; try < raceWrites || times.Load() < raceWrites; try++ {
		for _, path := range []string{"d/secret.txt", "f"} {
			got.WriteString(use(t, Write(w), args{"path": path, "content": "inner"}).Text)
			got.WriteString(use(t, Edit(w), args{"path": path, "edits": []args{{"old": "outer secret", "new": "inner"}}}).Text)
		}
		got.WriteString(use(t, Write(w), args{"path": "d/new", "content": "inner"}).Text)
		for range raceReads {
			got.WriteString(use(t, Read(w), args{"path": "d/secret.txt"}).Text)
			got.WriteString(use(t, Read(w), args{"path": "f"}).Text)
			got.WriteString(use(t, Grep(w, nil), args{"pattern": "outer|inner"}).Text)
			got.WriteString(use(t, Glob(w), args{"pattern": "**"}).Text)
			got.WriteString(use(t, List(w), args{"path": "d"}).Text)
			for _, one := range Attach(t.Context(), w, "@d/secret.txt @f @d @d/shot.png", nil, true) {
				got.WriteString(one.Note + string(one.Body))
			}
		}
	}
	for _, leak := range []string{"outer secret", "outer-name", "7×7"} {
		require.NotContains(t, strings.ReplaceAll(got.String(), `"outer secret"`, ""), leak)
	}
	entries, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, entries, 3, "nothing was made there")
	data, err := os.ReadFile(filepath.Join(out, "secret.txt"))
	require.NoError(t, err)
	require.Equal(t, "outer secret\n", string(data))
}

// Nor is one file of the folder taken for another, for which other rules hold.
func TestAPathThatIsSwappedDuringACallLeadsToNoFileThatIsDenied(t *testing.T) {
	w := plant(t, "-- d/key --\nfree\n-- vault/key --\nlocked up\n")
	w.Readable = func(path string) error {
		if strings.HasPrefix(path, "vault") {
			return os.ErrPermission
		}
		return nil
	}
	times := swapped(t, filepath.Join(w.Folder(), "d"), "vault")
	for try := 0; try < raceWrites || times.Load() < raceWrites; try++ {
		for range raceReads {
			require.NotContains(t, use(t, Read(w), args{"path": "d/key"}).Text, "locked up")
		}
		w.MarkSeen("d/key", [32]byte{}) // as if it had been read: the check of a write is not what is tried
		_, _ = w.Apply("r", lifecycle.NewCallID(), func() (workspace.Change, error) {
			path, old, err := w.Target("d/key")
			return workspace.Change{Path: path, Old: old, Data: []byte("free\n")}, err
		})
	}
	require.Equal(t, "locked up\n", held(t, w, "vault/key"))
}
