package apply

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/filestore"
)

func regularFile(content string, mode uint32) lifecycle.FileState {
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: filestore.Hash([]byte(content)), Size: int64(len(content)), Mode: mode}
}

func linkTo(target string) lifecycle.FileState {
	return lifecycle.FileState{Kind: lifecycle.FileLink, Hash: filestore.Hash([]byte(target)), Size: int64(len(target))}
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Errorf(format string, args ...any)
	FailNow()
}

// put makes a file what the state says.
func put(t fataler, folder, path string, state lifecycle.FileState, content string) {
	at := filepath.Join(folder, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
	require.NoError(t, os.RemoveAll(at))
	switch state.Kind {
	case lifecycle.FileNone:
	case lifecycle.FileLink:
		require.NoError(t, os.Symlink(content, at))
	case lifecycle.FileRegular:
		require.NoError(t, os.WriteFile(at, []byte(content), 0o600))
		require.NoError(t, os.Chmod(at, fs.FileMode(state.Mode)))
	}
}

// tree is all that is in a folder: files by their states, folders by their modes.
func tree(t fataler, folder string) map[string]lifecycle.FileState {
	root, err := os.OpenRoot(folder)
	require.NoError(t, err)
	defer root.Close()
	all := map[string]lifecycle.FileState{}
	require.NoError(t, fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		if entry.IsDir() {
			info, err := entry.Info()
			all[path+"/"] = lifecycle.FileState{Mode: uint32(info.Mode().Perm())}
			return err
		}
		all[path], err = Look(root, path)
		return err
	}))
	return all
}

// place is a folder with what someSet finds, its store and its journal.
type scene struct{ at, folder, journal string }

func newScene(t *testing.T) (scene, *filestore.Store) {
	at := t.TempDir()
	s := scene{at, filepath.Join(at, "folder"), filepath.Join(at, "journal")}
	for path, content := range map[string]string{"changed": "old", "script": "run", "bystander": "mine"} {
		put(t, s.folder, path, regularFile(content, 0o644), content)
	}
	put(t, s.folder, "link", linkTo("changed"), "changed")
	put(t, s.folder, "emptied/last", regularFile("last", 0o640), "last")
	require.NoError(t, os.Chmod(filepath.Join(s.folder, "emptied"), 0o750))
	store := filestore.New(filepath.Join(at, "store"))
	t.Cleanup(func() { store.Close() })
	for _, content := range []string{"new", "run", "script", "fresh"} {
		_, err := store.Keep([]byte(content), "")
		require.NoError(t, err)
	}
	return s, store
}

func (s scene) recorded(lifecycle.OperationID) (bool, error) {
	_, err := os.Stat(filepath.Join(s.at, "recorded"))
	return err == nil, nil
}
