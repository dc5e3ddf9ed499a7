package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"pawl/agent/settings"
	"pawl/ui"
	tty "pawl/ui/terminal"
)

// factTheme is where the theme is kept that was chosen on the screen.
const factTheme = "theme"

// lookAndCall tells the screen how it is to look, and how to call. As with the
// model, the setting goes before what was chosen last: who wrote it into a file
// wants it at every start.
func (h *house) lookAndCall(ctx context.Context, options *ui.Options) {
	chosen := h.Settings.Screen
	options.Theme, options.Still, options.Notify = chosen.Theme, chosen.Motion == "reduced", chosen.Notify
	if chosen.Theme == "" {
		options.Theme = h.keptTheme(ctx)
		options.KeepTheme = func(name string) {
			if err := h.Store.SetFact(context.WithoutCancel(ctx), factTheme, name); err != nil {
				slog.Error("keep the theme", "theme", name, "error", err) // it is worn all the same
			}
		}
	}
	if tty.LookOf(h.World.Out, h.World.Environ).Bar {
		h.World.Guard.HasBar()
	}
}

// keptTheme is the theme that was chosen last; empty where none was, or by a Pawl
// that knew others.
func (h *house) keptTheme(ctx context.Context) string {
	name, err := h.Store.Fact(ctx, factTheme)
	if err != nil || !slices.Contains(settings.Themes(), name) {
		return ""
	}
	return name
}

// examineLooks is what doctor says of themes and of the terminal's own signs.
func (e *examination) examineLooks(look tty.Look) []finding {
	s := e.settings.Screen
	theme := finding{Name: "theme", Level: levelOK, Says: s.Theme, Value: s.Theme}
	if s.Theme == "" {
		theme.Says = "what /theme chose last, else auto: dark or light as the terminal is"
	}
	bar := finding{Name: "progress", Level: levelInfo, Says: "no progress bar of the terminal's own is known here", Value: look.Bar}
	if look.Bar {
		bar.Level, bar.Says = levelOK, "the terminal's own progress bar shows what runs"
	}
	how := cmp.Or(s.Notify, "auto")
	return []finding{
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
