package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheScreensSettingsAreReadAndAVariableGoesBefore(t *testing.T) {
	path := file(t, "[screen]\ntheme = \"light\"\nmotion = \"reduced\"\nnotify = \"bell\"\nsplit = \"off\"\n")
	s, err := Load(path, []string{"PAWL_SCREEN_THEME=contrast"})
	require.NoError(t, err)
	require.Equal(t, Screen{Theme: "contrast", Motion: "reduced", Notify: "bell", Split: "off"}, s.Screen)
}

func TestAScreenSettingThatMeansNothingIsNamedWithTheNearest(t *testing.T) {
	for text, wants := range map[string][]string{
		"[screen]\ntheme = \"drak\"":     {`screen.theme "drak"`, "auto, dark, light or contrast", `did you mean "dark"?`},
		"[screen]\nmotion = \"reduce\"":  {`screen.motion "reduce"`, "full or reduced", `did you mean "reduced"?`},
		"[screen]\nnotify = \"desktpo\"": {`screen.notify "desktpo"`, "auto, bell, desktop or off", `did you mean "desktop"?`},
		"[screen]\nsplit = \"of\"":       {`screen.split "of"`, "auto or off", `did you mean "off"?`},
		"[screen]\ntehme = \"dark\"":     {"config.toml:2", "screen.tehme", "screen.theme"},
	} {
		_, err := Load(file(t, text), nil)
		for _, want := range wants {
			require.ErrorContains(t, err, want)
		}
	}
	_, err := Load("none", []string{"PAWL_SCREEN_THEME=sepia"})
	require.ErrorContains(t, err, `environment: screen.theme "sepia"`)
}
