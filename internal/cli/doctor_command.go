package cli

import (
	"context"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/doctor"
	"pawl/internal/host"
)

// doctorCommand is pawl doctor. It changes nothing and shows no value of a variable
// that holds a key. It asks the servers of models for their lists, and starts the
// MCP servers that Pawl would start.
//
//	folders ─► settings ─► this folder ─► models ─► agent types ─► permissions ─► hooks ─► telemetry ─► terminal
//	        ─► database ─► sessions ─► servers ─► checkout ─► processes ─► sandbox
type doctorCommand struct {
	JSON    bool `name:"json" help:"For programs: one JSON object."`
	Offline bool `help:"Ask no server, and start none."`
}

func (c *doctorCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (code int, err error) {
	e := doctor.Examine(ctx, *w, c.Offline)
	if len(e.Problems()) > 0 {
		code = host.ExitError
	}
	if c.JSON {
		return code, e.Models.Hide().Encode(w.Out, e.Report())
	}
	return code, e.Print(w.Out, base.LookOf(*w))
}
