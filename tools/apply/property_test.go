package apply

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// drawn is a file of a random folder.
type drawn struct {
	state   lifecycle.FileState
	content string
}

// folders draws a random set of files, none of which is above another.
func folders(t *rapid.T, label string) map[string]drawn {
	paths := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "a/a", "a/b", "b/a/c", "b/b", "c/a/b/a"}), 0, 6, rapid.ID).Draw(t, label)
	all := map[string]drawn{}
	for _, path := range paths {
		if slices.ContainsFunc(paths, func(other string) bool { return strings.HasPrefix(other, path+"/") }) {
			continue
		}
		content := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, label+" "+path)
		state := regularFile(content, rapid.SampledFrom([]uint32{0o644, 0o755, 0o600}).Draw(t, "mode"))
		if rapid.Bool().Draw(t, "link") {
			state = linkTo(content)
		}
		all[path] = drawn{state, content}
	}
	return all
}

// filesOf leaves the folders of a tree out.
func filesOf(tree map[string]lifecycle.FileState) map[string]lifecycle.FileState {
	files := map[string]lifecycle.FileState{}
	for path, state := range tree {
		if !strings.HasSuffix(path, "/") {
			files[path] = state
		}
	}
	return files
}

func TestRandomSetsAreThereWholeOrNotAtAllWhereverTheyAreCutOff(t *testing.T) {
	defer func() { reach = func(string) {} }()
	rapid.Check(t, func(t *rapid.T) {
		at, err := os.MkdirTemp(inMemory(), "pawl-apply-*")
		require.NoError(t, err)
		defer os.RemoveAll(at)
		folder, journal := filepath.Join(at, "folder"), filepath.Join(at, "journal")
		require.NoError(t, os.Mkdir(folder, 0o755))
		store := filestore.New(filepath.Join(at, "store"))
		defer store.Close()
		for _, content := range []string{"one", "two", "three"} {
			_, err := store.Keep([]byte(content), "")
			require.NoError(t, err)
		}
		from, to := folders(t, "from"), folders(t, "to")
		set := Set{Operation: "o1", Folder: folder}
		for _, path := range slices.Sorted(maps.Keys(from)) {
			file := from[path]
			put(t, folder, path, file.state, file.content)
			set.Files = append(set.Files, File{path, file.state, to[path].state})
		}
		for _, path := range slices.Sorted(maps.Keys(to)) {
			file := to[path]
			if _, both := from[path]; !both {
				set.Files = append(set.Files, File{path, lifecycle.FileState{}, file.state})
			}
		}
		before := tree(t, folder)

		recorded := false
		killed := cutOff(rapid.IntRange(1, 20).Draw(t, "step"), func() {
			_, err = Run(context.Background(), journal, store, set, func(context.Context) error { recorded = true; return nil })
		})
		if !killed {
			require.NoError(t, err)
		}
		edited := edit(t, folder)
		stood := filesOf(tree(t, folder))
		for tries := rapid.IntRange(0, 2).Draw(t, "cut off again"); tries > 0; tries-- { // Recover, which may be killed too
			step := rapid.IntRange(1, 8).Draw(t, "step of undoing")
			cutOff(step, func() {
				_, _ = Recover(context.Background(), journal, store, func(lifecycle.OperationID) (bool, error) { return recorded, nil })
			})
		}
		undone, err := Recover(context.Background(), journal, store, func(lifecycle.OperationID) (bool, error) { return recorded, nil })
		now := tree(t, folder)
		require.NoDirExists(t, journal)
		if recorded {
			require.NoError(t, err)
			require.Equal(t, stood, filesOf(now))
			return
		}
		if len(edited) == 0 {
			require.NoError(t, err)
			require.Equal(t, before, now, "undone: %v", undone)
			return
		}
		left := (*LeftError)(nil)
		errors.As(err, &left)
		for path, content := range edited { // a person's work is there, unless it is what Pawl itself would put there
			if held := stood[path]; held.Same(from[path].state) || held.Same(to[path].state) {
				continue
			}
			require.True(t, holds(now, path, content), "%s: what a person wrote is lost", path)
			if undone && left != nil {
				require.Equal(t, !from[path].state.Same(to[path].state), slices.Contains(left.Files, path))
			}
		}
		for path, file := range from {
			if !inTheWay(edited, path) {
				require.True(t, file.state.Same(now[path]), path)
			}
		}
	})
}

// inMemory is a folder where syncing costs nothing, or else the usual one.
func inMemory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// cutOff ends do at the n-th step, and reports whether there was one.
func cutOff(step int, do func()) (killed bool) {
	reach = func(string) {
		if step--; step == 0 {
			panic("killed")
		}
	}
	defer func() {
		reach = func(string) {}
		killed = recover() != nil
	}()
	do()
	return false
}

// edit is what a person writes into files that are there.
func edit(t *rapid.T, folder string) map[string]string {
	all := map[string]string{}
	files := filesOf(tree(t, folder))
	for _, path := range slices.Sorted(maps.Keys(files)) {
		state := files[path]
		if state.Kind == lifecycle.FileRegular && !strings.HasSuffix(path, ".tmp") && rapid.IntRange(0, 5).Draw(t, "edit "+path) == 0 {
			all[path] = fmt.Sprintf("a person's %s", path)
			put(t, folder, path, state, all[path])
		}
	}
	return all
}

// inTheWay reports that a person wrote into a file, or into one where its folder was or that is
// below where it was.
func inTheWay(edited map[string]string, at string) bool {
	for path := range edited {
		if path == at || strings.HasPrefix(at, path+"/") || strings.HasPrefix(path, at+"/") {
			return true
		}
	}
	return false
}

func holds(now map[string]lifecycle.FileState, path, content string) bool {
	return now[path].Hash == filestore.Hash([]byte(content))
}
