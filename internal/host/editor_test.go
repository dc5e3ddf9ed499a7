//go:build !windows

package host

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/handover"
	"pawl/internal/models"
	"pawl/internal/socket"
	"pawl/lifecycle"
	"pawl/ui"
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

func TestWhatWasSavedInAnEditorIsTheDraftOnceItsTerminalIsGone(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	opened, err := openScreen(t.Context(), w, app.Options{Model: models.Demo})
	require.NoError(t, err)
	defer func() { opened.Close(lifecycle.CauseQuit) }()
	for draft, want := range map[string]string{"half a": "half a thought, whole", "another": "another"} {
		require.NoError(t, opened.Store.SetFact(t.Context(), folderDraft(w.Folder), draft))
		front, theirs, err := socket.Pair()
		require.NoError(t, err)
		line, err := unix.FcntlInt(theirs.Fd(), unix.F_DUPFD_CLOEXEC, 3) // FromFD takes it over
		require.NoError(t, err)
		require.NoError(t, theirs.Close())
		conn, err := socket.FromFD(line)
		require.NoError(t, err)
		go func() {
			defer front.Close()
			m, _, err := handover.Receive(front)
			if err == nil {
				_ = os.WriteFile(m.Path, []byte("half a thought, whole\n"), 0o600)
			}
		}()
		h := &screen{Session: opened, kept: &keptMarks{session: opened, screens: ui.NewScreens()}, front: handover.New(conn, handover.Message{}, nil)}
		_, err = h.edit(t.Context(), "half a")
		require.ErrorIs(t, err, handover.ErrFrontGone)
		h.front.Close()
		kept, err := opened.Store.Fact(t.Context(), folderDraft(w.Folder))
		require.NoError(t, err)
		require.Equal(t, want, kept)
	}
	left, err := filepath.Glob(filepath.Join(opened.Folders.State, "editor-*", "message.md"))
	require.NoError(t, err)
	require.Len(t, left, 2)
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
