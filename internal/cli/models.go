package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/store"
)

// listLimit is how long a server may take to list its models.
const listLimit = 10 * time.Second

// newModelsCommand is pawl models. What it prints of a model is what Pawl goes by; the
// server's own word stands where nothing is known.
//
//	settings ─► servers, asked side by side ─► rows: names of theirs, traits of ours ─► table, lines or JSON
func newModelsCommand(w *base.World) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:     "models [FILTER]",
		Short:   "List the models that the servers offer.",
		GroupID: command.GroupSetup,
		Long: `List the models that the servers offer, with what Pawl knows about them: all of
them, or those that have FILTER in their name.`,
		Example: `  pawl models                    # what the servers offer whose key is set
  pawl models sonnet --json`,
		Args: command.Takes("[FILTER]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return listModels(cmd.Context(), w, strings.Join(args, ""), all, asJSON)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "Also those that, by their names, write no text.")
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

func listModels(ctx context.Context, w *base.World, filter string, all, asJSON bool) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	inUse, _ := b.Models.Choose("", b.Settings.Model, lastModel(ctx, b))
	asked := b.Models.List(ctx, b.Models.Servers(inUse), listLimit)
	found := models.NewCatalog(b.Models, asked, inUse, filter, all)
	code := system.ExitDone
	if len(found.Failed) > 0 && len(found.Failed) == len(asked) {
		code = system.ExitError
	}
	if asJSON {
		return command.Ended(code, b.Models.Hide().Encode(w.Out, found))
	}
	return command.Ended(code, printCatalog(found, *w, filter))
}

// lastModel is the model that was used last, if the database is there and tells.
func lastModel(ctx context.Context, b *base.Base) string {
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err != nil {
		return ""
	}
	defer opened.Close()             //nolint:errcheck // it was only read
	last, _ := opened.LastModel(ctx) // what is wrong with the database is doctor's to say
	return last
}
