package host

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/store"
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
		options.Theme = keptTheme(ctx, h.Store)
		options.KeepTheme = func(name string) {
			if err := h.Store.SetFact(context.WithoutCancel(ctx), factTheme, name); err != nil {
				slog.Error("keep the theme", "theme", name, "error", err) // it applies all the same
			}
		}
	}
}

// themeOf is the theme of a screen that is not to choose one: what the setting says, else keptTheme.
func themeOf(ctx context.Context, chosen settings.Screen, s *store.Store) string {
	return cmp.Or(chosen.Theme, keptTheme(ctx, s))
}

// recordedTheme is themeOf where no database was opened: only to be read, for there may be none.
func recordedTheme(ctx context.Context, b *base.Base) string {
	s, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err != nil {
		return b.Settings.Screen.Theme
	}
	defer s.Close() //nolint:errcheck // it was only read
	return themeOf(ctx, b.Settings.Screen, s)
}

// keptTheme is the theme that was chosen last; empty if none was, or one that this Pawl does not
// know.
func keptTheme(ctx context.Context, s *store.Store) string {
	name, err := s.Fact(ctx, factTheme)
	if err != nil || !slices.Contains(settings.Themes(), name) {
		return ""
	}
	return name
}
