package cli

import (
	"context"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/front"
	"pawl/internal/host"
	"pawl/internal/stored"
)

type importCommand struct {
	File        string `arg:"" placeholder:"FILE" complete:"session or file" help:"What pawl export --format json wrote, - for standard input; or a session: its id, or how that begins or ends."`
	exportFlags `embed:""`
}

// Run opens an exported session: to look at, or to be written again.
func (c *importCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	if !c.given() {
		return front.Replay(ctx, *w, c.File, nil)
	}
	if _, err := c.options(); err != nil { // said before a long file is read
		return host.ExitError, err
	}
	t, err := stored.Open(ctx, *w, c.File)
	if err != nil {
		return host.ExitError, err
	}
	defer t.Close()
	return c.write(ctx, w, t.Source, t.Upto)
}
