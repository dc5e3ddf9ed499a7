package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/store"
)

// completionCommand is pawl completion.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (c *completionCommand) Run(_ context.Context, w *base.World, _ *kong.Context) (int, error) {
	script := map[string]string{"bash": Bash, "zsh": Zsh, "fish": Fish}[c.Shell]
	_, err := fmt.Fprint(w.Out, script)
	return host.ExitDone, err
}

// completeCommand answers the scripts: what can stand at a place of a command line.
type completeCommand struct {
	Words []string `arg:"" optional:"" help:"The words behind pawl; the last is the one that is being typed."`
}

func (c *completeCommand) Run(ctx context.Context, w *base.World, line *kong.Context) (int, error) {
	values := func(kind string) []Candidate {
		if kind == "subject" {
			return subjectsOf(line.Model)
		}
		return offeredValues(ctx, *w, kind)
	}
	for _, found := range Complete(line.Model, c.Words, values) {
		fmt.Fprintf(w.Out, "%s\t%s\n", found.Text, found.Says)
	}
	return host.ExitDone, nil
}

// subjectsOf is what pawl help can explain: each command, and what a page is about.
func subjectsOf(app *kong.Application) []Candidate {
	all, names := Commands(app), commandNames(app)
	for _, page := range docs.Pages() {
		if !slices.Contains(names, page.Subject) {
			all = append(all, Candidate{Text: page.Subject, Says: strings.TrimSuffix(page.Idea, ".")})
		}
	}
	return all
}

// mostSessions are offered to a shell: those that one might still go on with.
const mostSessions = 50

// offeredValues is what an argument of some kind can be. What cannot be read offers nothing.
func offeredValues(ctx context.Context, w base.World, kind string) (all []Candidate) {
	switch kind {
	case "session":
		return sessionsToName(ctx, w)
	case "session or file":
		return append(sessionsToName(ctx, w), Candidate{Text: Files})
	case "model":
		for _, name := range agent.ListedModels() {
			all = append(all, Candidate{Text: models.MakerOf(name) + "/" + name})
		}
		return append(all, Candidate{Text: models.Demo, Says: "the script"})
	case "format":
		for _, name := range formatNames() {
			all = append(all, Candidate{Text: name})
		}
	case "worktree":
		return worktreesToName()
	case "mode":
		for _, mode := range permission.Modes() {
			all = append(all, Candidate{Text: string(mode)})
		}
	}
	return all
}

// sessionsToName lists the sessions of this folder, the newest first; where it has none,
// those of others. It leaves no trace, not even a line in the log.
func sessionsToName(ctx context.Context, w base.World) (all []Candidate) {
	if settings.CheckHome() != nil {
		return nil
	}
	opened, err := store.Open(ctx, settings.FindFolders().Database(), store.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer opened.Close() //nolint:errcheck // it was only read
	found, err := opened.Sessions(ctx, store.Filter{RootsOnly: true, Folder: w.Folder, Limit: mostSessions})
	if err != nil || len(found) == 0 {
		found, _ = opened.Sessions(ctx, store.Filter{RootsOnly: true, Limit: mostSessions}) // a shell shows no error
	}
	for _, s := range found {
		says := humanize.RelTime(s.Updated, time.Now(), "ago", "from now") + ": " + string(sanitize.Line(s.Title))
		all = append(all, Candidate{Text: string(s.ID), Says: strings.ReplaceAll(says, "\t", " ")})
	}
	return all
}
