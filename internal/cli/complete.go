package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/hosted"
	"pawl/internal/models"
	"pawl/internal/worktree"
	"pawl/store"
)

// What only Pawl knows of what can stand at a place of a command line. What cannot be read
// offers nothing: nobody reads an error while they type.

// asListed says that what is offered has an order, and that no file is meant.
const asListed = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

// firstArgument offers what a function does at the first argument of a command, and nothing
// behind it.
func firstArgument(offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(cmd, args, typed)
	}
}

func completeSessions(w *base.World) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return sessionsToName(cmd.Context(), w), asListed
	}
}

// completeRecordings offers sessions, and where none begins as it was typed the shell's files.
func completeRecordings(w *base.World) cobra.CompletionFunc {
	return firstArgument(func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return sessionsToName(cmd.Context(), w), cobra.ShellCompDirectiveKeepOrder
	})
}

func completeModels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, name := range agent.ListedModels() {
		all = append(all, models.MakerOf(name)+"/"+name)
	}
	return append(all, cobra.CompletionWithDesc(models.Demo, "the script")), asListed
}

func completeModes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, mode := range permission.Modes() {
		all = append(all, string(mode))
	}
	return all, asListed
}

// completeWorktrees offers those that there are, but for the ones that are named already.
func completeWorktrees(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	notes, _ := worktree.ReadNotes(settings.FindFolders().Worktrees())
	var all []cobra.Completion
	for _, n := range notes {
		if name := filepath.Base(n.Path); !slices.Contains(args, name) {
			all = append(all, described(name, n.Description))
		}
	}
	return all, asListed
}

// completeSubjects offers what pawl help can explain: each command, and what a page is about.
func completeSubjects(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var all []cobra.Completion
	for _, command := range commandsToType(cmd.Root()) {
		all = append(all, cobra.CompletionWithDesc(command.Name(), command.Short))
	}
	names := commandNames(cmd.Root())
	for _, page := range docs.Pages() {
		if !slices.Contains(names, page.Subject) {
			all = append(all, cobra.CompletionWithDesc(page.Subject, page.Idea))
		}
	}
	return all, asListed
}

// described is a name with a text of others about it.
func described(name, text string) cobra.Completion {
	return cobra.CompletionWithDesc(name, strings.ReplaceAll(string(sanitize.Line(text)), "\t", " "))
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
			all = append(all, described(id, "open: "+s.Title))
		}
	}
	found, err := opened.Sessions(ctx, store.Filter{RootsOnly: true, Folder: w.Folder, Limit: mostSessions})
	if err != nil || len(found) == 0 && len(all) == 0 {
		found, _ = opened.Sessions(ctx, store.Filter{RootsOnly: true, Limit: mostSessions})
	}
	for _, s := range found {
		if !slices.Contains(open, string(s.ID)) {
			all = append(all, described(string(s.ID), humanize.RelTime(s.Updated, time.Now(), "ago", "from now")+": "+s.Title))
		}
	}
	return all
}
