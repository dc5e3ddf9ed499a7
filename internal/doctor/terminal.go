package doctor

import (
	"cmp"
	"fmt"

	"pawl/tools/process"
	"pawl/ui/terminal"
)

func (e *Examination) examineLooks(look terminal.Look) []Finding {
	s := e.settings.Screen
	theme := Finding{Name: "theme", Level: levelOK, Says: s.Theme, Value: s.Theme}
	if s.Theme == "" {
		theme.Says = "what /theme chose last, else auto: dark or light as the terminal is"
	}
	bar := Finding{Name: "progress", Level: levelInfo, Says: "no progress bar of the terminal's own is known here", Value: look.Bar}
	if look.Bar {
		bar.Level, bar.Says = levelOK, "the terminal's own progress bar shows what runs"
	}
	how := cmp.Or(s.Notify, "auto")
	return []Finding{
		theme,
		{Name: "motion", Level: levelOK, Says: cmp.Or(s.Motion, "full")},
		bar,
		{Name: "notify", Level: levelOK, Says: fmt.Sprintf("%s: %s", how, callWords(how, look.Call)), Value: how},
	}
}

func callWords(how, call string) string {
	by := "a notification (" + call + ")"
	switch {
	case how == "off":
		return "nobody is called"
	case how == "desktop" && call == "":
		by = "a notification (OSC 777, which this terminal is not known to have) and the bell"
	case how == "bell", call == "":
		by = "the bell"
	}
	return by + ", when a run ends in a window without focus that reports it"
}

func editorFinding(env func(string) string) Finding {
	command := process.EditorCommand(env)
	found := Finding{Name: "editor", Level: levelOK, Says: command + ", by ctrl+g", Value: command}
	switch missing := process.MissingEditor(command); {
	case command == "":
		found.Level, found.Says, found.Do = levelNote, "none for ctrl+g to open", "set VISUAL or EDITOR to yours"
	case missing != "":
		found.Level, found.Says, found.Do = levelNote, command+": there is no program "+missing, "set VISUAL or EDITOR to one that is there"
	}
	return found
}
