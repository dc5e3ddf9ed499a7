package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/system"
)

func newVersionCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, with the commit that it was built from.",
		GroupID: groupMore,
		Example: `  pawl version
  pawl version --json`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error { return exit(printVersion(w, asJSON)) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, jsonUsage)
	return cmd
}

func printVersion(w *base.World, asJSON bool) (int, error) {
	if asJSON {
		encoder := json.NewEncoder(w.Out)
		encoder.SetIndent("", "  ")
		return system.ExitDone, encoder.Encode(base.ThisBuild())
	}
	_, err := fmt.Fprintln(w.Out, "pawl "+base.VersionText())
	return system.ExitDone, err
}
