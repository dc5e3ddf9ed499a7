package host

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/store"
	"pawl/ui"
)

func TestAThemeThatWasChosenIsWornNextTimeUnlessASettingNamesOne(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer db.Close()
	starts := func(chosen settings.Screen) ui.Options {
		h := &screen{Session: &app.Session{Base: &base.Base{Store: db, Settings: settings.Settings{Screen: chosen}, World: base.World{Out: &bytes.Buffer{}}}}}
		var options ui.Options
		h.lookAndCall(t.Context(), &options)
		return options
	}
	first := starts(settings.Screen{Motion: "reduced", Notify: "bell", Split: "off"})
	require.Empty(t, first.Theme)
	require.True(t, first.ReducedMotion)
	require.Equal(t, "bell", first.Notify)
	require.Equal(t, "off", first.Split)
	first.KeepTheme("contrast")
	require.Equal(t, "contrast", starts(settings.Screen{}).Theme)

	set := starts(settings.Screen{Theme: "auto"})
	require.Equal(t, "auto", set.Theme)
	require.Nil(t, set.KeepTheme, "what the setting says holds again next time")

	first.KeepTheme("of a later version")
	require.Empty(t, starts(settings.Screen{}).Theme)
}

func TestAThemeThatWasChosenIsWornByEveryScreen(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	session := promptAnswered(t, w)
	b, err := base.Open(t.Context(), w, store.Options{})
	require.NoError(t, err)
	defer b.Close()
	require.NoError(t, b.Store.SetFact(t.Context(), factTheme, "contrast"))
	recording, err := stored.Open(t.Context(), w, session)
	require.NoError(t, err)
	defer recording.Close()
	for setting, want := range map[string]string{"": "contrast", "light": "light"} {
		b.Settings.Screen.Theme = setting
		require.Equal(t, want, (&sessionList{Base: b}).options(t.Context()).Theme)
		shown, err := recordedScreen(t.Context(), b, recording, session, nil, nil)
		require.NoError(t, err)
		require.Equal(t, want, shown.Theme)
	}
}
