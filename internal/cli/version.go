package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/host"
)

type versionCommand struct {
	JSON bool `name:"json" help:"For programs: one JSON object."`
}

func (c *versionCommand) Run(_ context.Context, w *base.World, _ *kong.Context) (int, error) {
	if c.JSON {
		encoder := json.NewEncoder(w.Out)
		encoder.SetIndent("", "  ")
		return host.ExitDone, encoder.Encode(base.ThisBuild())
	}
	_, err := fmt.Fprintln(w.Out, "pawl "+base.VersionText())
	return host.ExitDone, err
}
