package release

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/update"
)

// NewVersion is pawl version.
func NewVersion(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, its commit and date, and the key of its releases.",
		GroupID: command.GroupMore,
		Example: `  pawl version
  pawl version --json`,
		Args: command.Takes(),
		RunE: func(*cobra.Command, []string) error { return PrintVersion(w, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// described is what pawl version --json prints.
type described struct {
	base.BuildInfo
	Key string `json:"key,omitempty"` // the short name of the key whose releases pawl update takes
}

// PrintVersion is pawl version, and pawl --version.
func PrintVersion(w *base.World, asJSON bool) error {
	build := described{BuildInfo: base.ThisBuild()}
	key, wrong := update.ParseKey(base.ReleaseKey())
	if wrong == nil {
		build.Key = key.ID()
	}
	if asJSON {
		encoder := json.NewEncoder(w.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(build)
	}
	_, err := fmt.Fprintln(w.Out, versionLine(build))
	return err
}

// versionLine is all of it in one line.
func versionLine(b described) string {
	text := "pawl " + b.Version
	if b.Commit != "" {
		date, _, _ := strings.Cut(b.Time, "T")
		changes := ""
		if b.Changed {
			changes = " with changes"
		}
		text += fmt.Sprintf(" (%s of %s%s)", b.Commit[:min(12, len(b.Commit))], cmp.Or(date, "no date"), changes)
	}
	text += " " + b.Go
	if b.Key == "" {
		return text + ", without a release key"
	}
	return text + ", release key " + b.Key
}
