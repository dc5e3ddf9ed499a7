package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/front"
	"pawl/internal/host"
	"pawl/ui/replay"
)

type replayCommand struct {
	File  string `arg:"" placeholder:"FILE|ID" complete:"session or file" help:"An exported JSON document, or a session: its id, or how that begins or ends."`
	Speed string `default:"1x" help:"How fast: from 0.25x to 64x."`
	Gaps  bool   `help:"Keep long silences as long as they were; else none lasts longer than 5 s."`
}

func (c *replayCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	speed, err := parseSpeed(c.Speed)
	if err != nil {
		return host.ExitError, err
	}
	return front.Replay(ctx, *w, c.File, &replay.Options{Speed: speed, Whole: c.Gaps})
}

// parseSpeed reads a speed like 4x, 4 or 0.5x.
func parseSpeed(text string) (float64, error) {
	speed, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	within := speed >= replay.Slowest && speed <= replay.Fastest // which NaN is not
	if err != nil || !within {
		return 0, host.Usage(fmt.Sprintf("--speed %s: must be a number from %g to %g, like 4x", text, replay.Slowest, replay.Fastest))
	}
	return speed, nil
}
