package cli

import (
	"context"
	"time"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/store"
)

// listLimit is how long a server may take to list its models.
const listLimit = 10 * time.Second

// modelsCommand is pawl models. What it prints of a model is what Pawl goes by; the
// server's own word stands where nothing is known.
//
//	settings ─► servers, asked side by side ─► rows: names of theirs, traits of ours ─► table, lines or JSON
type modelsCommand struct {
	Filter string `arg:"" optional:"" help:"Only those with this in their name."`
	All    bool   `help:"Also those that, by their names, write no text."`
	JSON   bool   `name:"json" help:"For programs: one JSON object."`
}

func (c *modelsCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (code int, err error) {
	b, err := base.New(*w)
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	inUse, _ := b.Models.Choose("", b.Settings.Model, lastModel(ctx, b))
	asked := b.Models.List(ctx, b.Models.Servers(inUse), listLimit)
	found := models.NewCatalog(b.Models, asked, inUse, c.Filter, c.All)
	if len(found.Failed) > 0 && len(found.Failed) == len(asked) {
		code = host.ExitError
	}
	if c.JSON {
		return code, b.Models.Hide().Encode(w.Out, found)
	}
	return code, printCatalog(found, *w, c)
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
