package tools

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileThatIsNotToBeReadIsReachedByNoTool(t *testing.T) {
	w := plant(t, "-- open --\nhello\n-- vault/key --\nhello secret\n")
	require.NoError(t, os.Symlink("vault/key", w.Folder()+"/link"))
	w.Readable = func(path string) error {
		if path == "vault/key" || path == "vault/new" {
			return errors.New(path + " is not to be read")
		}
		return nil
	}
	for _, path := range []string{"vault/key", "link", "./vault/../vault/key", w.Folder() + "/vault/key"} {
		require.Contains(t, refused(t, Read(w), args{"path": path}), "vault/key is not to be read")
		require.Contains(t, refused(t, Write(w), args{"path": path, "content": "x"}), "not to be read")
		require.Contains(t, refused(t, Edit(w), args{"path": path, "edits": []args{{"old": "hello", "new": "x"}}}), "not to be read")
	}
	require.Contains(t, refused(t, Write(w), args{"path": "vault/new", "content": "x"}), "not to be read")
	found := done(t, Grep(w, nil), args{"pattern": "hello"}).Text
	require.Contains(t, found, "open")
	require.NotContains(t, found, "secret")
	require.Contains(t, done(t, Read(w), args{"path": "open"}).Text, "hello")
}
