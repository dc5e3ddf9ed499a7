package host

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/app"
	"pawl/internal/base"
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
