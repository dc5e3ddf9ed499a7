package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatAnEditorLeftBehindIsForgottenAfterAWeek(t *testing.T) {
	state := t.TempDir()
	left := filepath.Join(state, "editor-1")
	require.NoError(t, os.Mkdir(left, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(left, "message.md"), []byte("typed"), 0o600))
	forgetEdited(state, time.Now())
	require.DirExists(t, left)
	forgetEdited(state, time.Now().Add(forgottenEdit+time.Minute))
	require.NoDirExists(t, left)
}

func TestWhatAnEditorLeavesIsTakenOverAsText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "message.md")
	for written, want := range map[string]string{"": "", "a\r\nb\n": "a\r\nb\n", "bad \xff byte": "bad \uFFFD byte"} {
		require.NoError(t, os.WriteFile(path, []byte(written), 0o600))
		text, err := readEdited(path)
		require.NoError(t, err)
		require.Equal(t, want, text)
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", longestEdit+1)), 0o600))
	_, err := readEdited(path)
	require.EqualError(t, err, "the edited text is longer than 16 MB")
}
