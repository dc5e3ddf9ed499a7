package hosted

import (
	"context"
	"fmt"
	"math"

	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// Recorded writes what the user of a session that nobody drives asked last, as pawl -p does, and
// returns the exit code that it has.
func Recorded(ctx context.Context, w base.World, root lifecycle.SessionID, p Prompt) (int, error) {
	b, err := stored.OpenDatabase(ctx, w, string(root))
	if err != nil {
		return system.ExitError, err
	}
	defer b.Close()
	found, err := b.Store.Session(ctx, string(root))
	if err != nil {
		return system.ExitError, err
	}
	runs, err := b.Store.Runs(ctx, root, 0, math.MaxInt)
	if err != nil {
		return system.ExitError, err
	}
	result, ok := headless.Recorded(lifecycle.Snapshot{Root: root, Runs: runs}, b.Models.Hide(), found.Model == models.Demo)
	if !ok {
		return system.ExitError, fmt.Errorf("session %s is not open, and its process died at work: pawl attach %s goes on with it", root, ShortID(root))
	}
	return result.Code(), Write(result, p)
}
