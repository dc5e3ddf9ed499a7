package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/store"
	"pawl/ui"
	tty "pawl/ui/terminal"
)

func TestAThemeThatWasChosenIsWornNextTimeUnlessASettingNamesOne(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer db.Close()
	starts := func(screen settings.Screen) ui.Options {
		h := &house{Base: &base.Base{Store: db, Settings: settings.Settings{Screen: screen}, World: base.World{Out: &bytes.Buffer{}}}}
		var options ui.Options
		h.lookAndCall(t.Context(), &options)
		return options
	}
	first := starts(settings.Screen{Motion: "reduced", Notify: "bell"})
	require.Empty(t, first.Theme)
	require.True(t, first.Still)
	require.Equal(t, "bell", first.Notify)
	first.KeepTheme("contrast")
	require.Equal(t, "contrast", starts(settings.Screen{}).Theme)

	set := starts(settings.Screen{Theme: "auto"})
	require.Equal(t, "auto", set.Theme)
	require.Nil(t, set.KeepTheme, "what the setting says holds again next time")

	first.KeepTheme("of a later version")
	require.Empty(t, starts(settings.Screen{}).Theme)
}

func TestDoctorSaysHowTheScreenLooksAndCalls(t *testing.T) {
	e := &examination{settings: settings.Settings{Screen: settings.Screen{Theme: "light"}}}
	says := map[string]string{}
	for _, f := range e.examineLooks(tty.Look{Bar: true, Call: "OSC 777"}) {
		says[f.Name] = f.Says
	}
	require.Equal(t, "light", says["theme"])
	require.Equal(t, "full", says["motion"])
	require.Contains(t, says["progress"], "shows what runs")
	require.Contains(t, says["notify"], "auto: a notification (OSC 777)")
	require.Contains(t, callWords("auto", ""), "the bell")
	require.Contains(t, callWords("bell", "OSC 9"), "the bell")
	require.Contains(t, callWords("desktop", ""), "and the bell")
	require.Contains(t, callWords("off", "OSC 9"), "nobody")
}
