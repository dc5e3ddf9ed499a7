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
	"pawl/internal/handover"
	"pawl/internal/models"
	"pawl/lifecycle"
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

func TestWhatWasAllowedInAFolderDoesNotGoAlongToAnother(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	first := t.TempDir()
	promptAnswered(t, base.World{Folder: first, Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard})
	elsewhere := gittest.Checkout(t)
	w := base.World{Folder: elsewhere, Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	c := app.Options{Trust: true, Model: models.Demo, Mode: "bypass"}
	opened, err := openScreen(t.Context(), w, c)
	require.NoError(t, err)
	defer func() { opened.Close(lifecycle.CauseQuit) }()
	h := &screen{Session: opened}
	found, err := h.listSessions(t.Context(), false)
	require.NoError(t, err)
	require.Empty(t, found, "of this folder")
	found, err = h.listSessions(t.Context(), true)
	require.NoError(t, err)
	require.Len(t, found, 1)
	next, err := h.next(t.Context(), c, ui.Next{Session: found[0].ID})
	require.NoError(t, err)
	id := string(found[0].ID)
	require.Equal(t, handover.Next{Session: id, Args: []string{"--session", id, "--model", models.Demo}, Folder: first}, next)
	next, err = h.next(t.Context(), c, ui.Next{})
	require.NoError(t, err)
	require.Equal(t, handover.Next{Args: []string{"--model", models.Demo, "--permission-mode", "bypass", "--trust"}, Folder: elsewhere}, next)
}
