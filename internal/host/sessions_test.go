package host

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/gittest"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui"
)

// promptAnswered is a session in which one prompt was answered.
func promptAnswered(t *testing.T, w base.World) string {
	t.Helper()
	var out bytes.Buffer
	w.In, w.Out = strings.NewReader(""), &out
	code, err := Print(t.Context(), PrintOptions{Options: app.Options{Model: models.Demo}, Words: []string{"here"}, OutputFormat: "json", Agents: "drain"}, w)
	require.NoError(t, err)
	require.Zero(t, code)
	var said struct {
		Session string `json:"session"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &said))
	return said.Session
}

// What cannot be opened, although it could a moment ago, leads back to where one was.
func TestASessionThatCannotBeOpenedLeadsBack(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	here, there := promptAnswered(t, w), promptAnswered(t, w)
	c := app.Options{Session: here}
	h, err := openScreen(t.Context(), w, c, ui.Hello{})
	require.NoError(t, err)
	h.Choices.SetMode("plan")
	to := lifecycle.SessionID(there)
	require.NoError(t, h.openable(t.Context(), to))

	b, err := store.Open(t.Context(), h.Folders.Database(), store.Options{})
	require.NoError(t, err)
	release, err := b.Lock(to)
	require.NoError(t, err)
	require.ErrorContains(t, h.openable(t.Context(), to), "another Pawl has it open")
	h, err = h.follow(t.Context(), c, ui.Ending{Cause: lifecycle.CauseQuit, Next: &ui.Next{Session: to}})
	require.NoError(t, err)
	require.Equal(t, here, string(h.Root))
	require.True(t, h.hello.Trouble)
	require.Contains(t, h.hello.Words, "not opened: another Pawl")
	require.Equal(t, "plan", string(h.Choices.Mode()), "it is as it was left")

	release()
	require.NoError(t, b.Close())
	h, err = h.follow(t.Context(), c, ui.Ending{Cause: lifecycle.CauseQuit, Next: &ui.Next{Session: to}})
	require.NoError(t, err)
	require.Equal(t, there, string(h.Root))
	require.Empty(t, h.hello.Words)
	h.Close(lifecycle.CauseQuit)
}

func TestWhatWasAllowedInAFolderDoesNotGoAlongToAnother(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	first := t.TempDir()
	promptAnswered(t, base.World{Folder: first, Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard})
	elsewhere := gittest.Checkout(t)
	w := base.World{Folder: elsewhere, Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	c := app.Options{Trust: true, Model: models.Demo, Mode: "bypass"}
	h, err := openScreen(t.Context(), w, c, ui.Hello{})
	require.NoError(t, err)
	defer func() { h.Close(lifecycle.CauseQuit) }()
	found, err := h.listSessions(t.Context(), false)
	require.NoError(t, err)
	require.Empty(t, found, "of this folder")
	found, err = h.listSessions(t.Context(), true)
	require.NoError(t, err)
	require.Len(t, found, 1)
	next, back, err := h.targets(t.Context(), c, ui.Next{Session: found[0].ID})
	require.NoError(t, err)
	require.Equal(t, first, next.world.Folder)
	require.False(t, next.options.Trust)
	require.Empty(t, next.options.Mode)
	require.Equal(t, elsewhere, back.world.Folder)
	require.True(t, back.options.Trust)
	require.Equal(t, "bypass", back.options.Mode)
}
