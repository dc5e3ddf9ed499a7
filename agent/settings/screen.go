package settings

import (
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
)

// Screen holds settings for the look, the division and the alerts of the screen. An empty
// value means auto or full.
type Screen struct {
	Theme  string `toml:"theme"`  // auto, dark, light or contrast
	Motion string `toml:"motion"` // full or reduced
	Notify string `toml:"notify"` // auto, bell, desktop or off
	Split  string `toml:"split"`  // auto: a subagent's session opens beside the conversation where there is room; or off
}

// Themes are the values of screen.theme.
func Themes() []string { return []string{"auto", "dark", "light", "contrast"} }

// check reports each invalid value, with the nearest valid one.
func (s Screen) check(where string) error {
	var found []error
	for _, setting := range []struct {
		name, value string
		takes       []string
	}{
		{"screen.theme", s.Theme, Themes()},
		{"screen.motion", s.Motion, []string{"full", "reduced"}},
		{"screen.notify", s.Notify, []string{"auto", "bell", "desktop", "off"}},
		{"screen.split", s.Split, []string{"auto", "off"}},
	} {
		if setting.value == "" || slices.Contains(setting.takes, setting.value) {
			continue
		}
		last := len(setting.takes) - 1
		found = append(found, &Error{where, fmt.Sprintf("%s %q: must be %s or %s%s", setting.name, setting.value,
			strings.Join(setting.takes[:last], ", "), setting.takes[last], words.DidYouMean(setting.value, setting.takes))})
	}
	return All(found...)
}
