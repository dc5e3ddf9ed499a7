package doctor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/ui/terminal"
)

func TestDoctorNamesTheEditorAndMissesOneThatIsNotThere(t *testing.T) {
	editor := func(visual string) Finding {
		return editorFinding(func(name string) string { return map[string]string{"VISUAL": visual}[name] })
	}
	there := editor("sh -c true")
	require.Equal(t, levelOK, there.Level)
	require.Contains(t, there.Says, "sh -c true")
	gone := editor("no-such-editor --wait")
	require.Equal(t, levelNote, gone.Level)
	require.Contains(t, gone.Says, "no program no-such-editor")
	require.Equal(t, levelOK, editor(`"/opt/my editor/run" --wait`).Level, "the shell knows")
	t.Setenv("PATH", t.TempDir())
	none := editor("")
	require.Equal(t, levelNote, none.Level)
	require.Contains(t, none.Do, "VISUAL or EDITOR")
}

func TestDoctorSaysHowTheScreenLooksAndCalls(t *testing.T) {
	e := &Examination{settings: settings.Settings{Screen: settings.Screen{Theme: "light"}}}
	says := map[string]string{}
	for _, f := range e.examineLooks(terminal.Look{Bar: true, Call: "OSC 777"}) {
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
