package cli

import (
	"context"

	"github.com/alecthomas/kong"

	"pawl/internal/app"
	"pawl/internal/base"
)

// workerCommand is the other end of a run in a process of its own: one run, driven for the
// Pawl that started this process, whose pipe is standard input and output.
type workerCommand struct{}

func (workerCommand) Run(_ context.Context, w *base.World, _ *kong.Context) (int, error) {
	return app.RunWorker(*w)
}
