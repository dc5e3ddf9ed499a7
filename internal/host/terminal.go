package host

import (
	"context"
	"log/slog"
	"slices"

	"pawl/agent/settings"
	"pawl/ui"
)

// factTheme names the fact that holds the theme chosen on the screen.
const factTheme = "theme"

// lookAndCall sets how the screen looks and notifies. As with the model, the setting goes before
// the last choice: it was made for every start.
func (h *screen) lookAndCall(ctx context.Context, options *ui.Options) {
	chosen := h.Settings.Screen
	options.Theme, options.ReducedMotion, options.Notify = chosen.Theme, chosen.Motion == "reduced", chosen.Notify
	options.Split = chosen.Split
	if chosen.Theme == "" {
		options.Theme = h.keptTheme(ctx)
		options.KeepTheme = func(name string) {
			if err := h.Store.SetFact(context.WithoutCancel(ctx), factTheme, name); err != nil {
				slog.Error("keep the theme", "theme", name, "error", err) // it applies all the same
			}
		}
	}
}

// keptTheme is the theme that was chosen last; empty if none was, or one that this Pawl does not
// know.
func (h *screen) keptTheme(ctx context.Context) string {
	name, err := h.Store.Fact(ctx, factTheme)
	if err != nil || !slices.Contains(settings.Themes(), name) {
		return ""
	}
	return name
}
