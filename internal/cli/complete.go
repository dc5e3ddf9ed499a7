package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/hosted"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/store"
)

// What only Pawl knows of what can stand at a place of a command line. What cannot be read
// offers nothing: nobody reads an error while they type.

func completeSessions(w *base.World) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return sessionsToName(cmd.Context(), w), command.AsListed
	}
}

// completeRecordings offers sessions, and where none begins as it was typed the shell's files.
func completeRecordings(w *base.World) cobra.CompletionFunc {
	return command.FirstArgument(func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return sessionsToName(cmd.Context(), w), cobra.ShellCompDirectiveKeepOrder
	})
}

// completeModels offers the known models, those of the settings, and the names of the user's own
// providers, whose models nobody knows without asking.
func completeModels(w *base.World) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var all []cobra.Completion
		for _, name := range agent.ListedModels() {
			all = append(all, models.MakerOf(name)+"/"+name)
		}
		known := base.ModelsToName(*w)
		for _, name := range slices.Sorted(maps.Keys(known.Table)) {
			if !strings.HasSuffix(name, "*") && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		for _, p := range known.Providers() {
			if !p.BuiltIn {
				all = append(all, cobra.CompletionWithDesc(p.Name+"/", "a provider of config.toml"))
			}
		}
		return append(all, cobra.CompletionWithDesc(models.Demo, "the script")), command.AsListed
	}
}

func completeEfforts(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(lifecycle.Efforts(), app.NoEffort), command.AsListed
}

func completeModes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, mode := range permission.Modes() {
		all = append(all, string(mode))
	}
	return all, command.AsListed
}

// completeSubjects offers what pawl help can explain: each command, and what a page is about.
func completeSubjects(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, one := range commandsToType(cmd.Root()) {
		all = append(all, cobra.CompletionWithDesc(one.Name(), one.Short))
	}
	names := commandNames(cmd.Root())
	for _, page := range docs.Pages() {
		if !slices.Contains(names, page.Subject) {
			all = append(all, cobra.CompletionWithDesc(page.Subject, page.Idea))
		}
	}
	return all, command.AsListed
}

// mostSessions are offered to a shell: those that one might still go on with.
const mostSessions = 50

// sessionsToName lists the sessions of this folder, the newest first; where it has none,
// those of others. Before them stand those that are open, of every folder. It leaves no trace, not even a line in the log.
func sessionsToName(ctx context.Context, w *base.World) (all []cobra.Completion) {
	if settings.CheckHome() != nil {
		return nil
	}
	opened, err := store.Open(ctx, settings.FindFolders().Database(), store.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer opened.Close() //nolint:errcheck // it was only read
	open, _ := hosted.Folder().Sessions()
	for _, id := range open[:min(mostSessions, len(open))] {
		if s, err := opened.Session(ctx, id); err == nil {
			all = append(all, command.Described(id, "open: "+s.Title))
		}
	}
	found, err := opened.Sessions(ctx, store.Filter{RootsOnly: true, Folder: w.Folder, Limit: mostSessions})
	if err != nil || len(found) == 0 && len(all) == 0 {
		found, _ = opened.Sessions(ctx, store.Filter{RootsOnly: true, Limit: mostSessions})
	}
	for _, s := range found {
		if !slices.Contains(open, string(s.ID)) {
			all = append(all, command.Described(string(s.ID), humanize.RelTime(s.Updated, time.Now(), "ago", "from now")+": "+s.Title))
		}
	}
	return all
}
