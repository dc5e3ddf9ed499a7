package host

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/socket"
)

// counted is a context that knows how many wait for its end.
type counted struct {
	context.Context
	waiting *atomic.Int64
}

// Value hides the context below, by which the standard library would go past AfterFunc.
func (c counted) Value(any) any { return nil }

func (c counted) AfterFunc(f func()) func() bool {
	c.waiting.Add(1)
	stop := context.AfterFunc(c.Context, f)
	return sync.OnceValue(func() bool {
		c.waiting.Add(-1)
		return stop()
	})
}

func TestAConnectionThatIsOverLeavesNothingInItsHost(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Out: io.Discard, Err: io.Discard}
	opened, err := openScreen(t.Context(), w, app.Options{Trust: true, Model: models.Demo})
	require.NoError(t, err)
	h := newHost(t.Context(), app.Options{}, w, opened, nil)
	defer h.finish(nil)
	ctx := counted{t.Context(), new(atomic.Int64)}
	for _, said := range []string{"", "{\"type\":\"status\"}\n", "{\"type\":\"status\",\"follow\":true}\n", "{\"type\":\"attach\"}\n"} {
		mine, theirs, err := socket.Pair()
		require.NoError(t, err)
		_, err = theirs.WriteString(said)
		require.NoError(t, err)
		require.NoError(t, theirs.Close())
		h.greet(ctx, mine)
		require.Zero(t, ctx.waiting.Load(), "after %q", said)
	}
}
