package cli

import (
	"context"

	"github.com/alecthomas/kong"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/front"
)

type acpCommand struct {
	Trust      bool `help:"Trust the folders of this call: their settings, agent types and MCP servers are used without a question, except for what a command Pawl ran has left there."`
	modelFlags `embed:""`
}

func (c *acpCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	return front.Editor(ctx, app.Options{Trust: c.Trust, Model: c.Model, Mode: c.Mode}, *w, c.check)
}
