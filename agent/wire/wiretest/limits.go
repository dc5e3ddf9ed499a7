package wiretest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// Limits plays, in virtual time, servers that keep a connection open without answering.
// The loop aborts a stream without a sign of life. Here it is checked what counts as one:
// bytes, pings and fragments of an event, but for ten minutes at most after the last step
// of the answer.
func (b Bench) Limits(t *testing.T) {
	for name, drip := range map[string]struct {
		piece string
		every time.Duration
	}{
		"pings for ever":       {b.Ping + "\n\n", 15 * time.Second},
		"a byte each 119 s":    {" ", 119 * time.Second},
		"comments for ever":    {": ping\n\n", time.Second},
		"an event without end": {"data: [\n", 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, heard := time.Now(), time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				p := b.canned(func(r *http.Request) io.Reader { return drippingBody{r.Context(), drip.piece, drip.every} })
				_, err := p.Stream(ctx, b.Request, func(agent.Delta) { heard = time.Now() })
				if ctx.Err() != nil {
					require.Equal(t, ctx.Err(), err)
				} else {
					require.True(t, temporary(err), err)
				}
				require.LessOrEqual(t, heard.Sub(begun), 10*time.Minute, "not for ever")
				if drip.every == 15*time.Second {
					require.Greater(t, heard.Sub(begun), 9*time.Minute, "but for a while")
				}
			})
		})
	}
	t.Run("a late piece, then pings", b.lateStep)
	t.Run("a whole answer on an open line", b.lingering)
}

// lingering plays a server that keeps the connection open after its answer, which must not
// delay the answer.
func (b Bench) lingering(t *testing.T) {
	want := withoutCounts(b.recorded(t))
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		p := b.canned(func(r *http.Request) io.Reader {
			return io.MultiReader(strings.NewReader(strings.TrimSuffix(b.Stream, "data: [DONE]\n\n")), stalledBody{r.Context(), func() {}})
		})
		answer, err := b.ask(t.Context(), t, p)
		require.NoError(t, err)
		require.Equal(t, want, withoutCounts(answer))
		require.LessOrEqual(t, time.Since(begun), 5*time.Second, "its usage may follow, and is waited for so long")
	})
}

// lateStep plays an answer with a piece after nine minutes. It is a step too, after which
// another ten minutes begin.
func (b Bench) lateStep(t *testing.T) {
	before, rest, found := strings.Cut(b.Stream, `"`+piece+`"`)
	require.True(t, found)
	begin := strings.LastIndex(before, "\n\n") + 2
	event, _, _ := strings.Cut(before[begin:]+`"`+piece+`"`+rest, "\n\n")
	event += "\n\n"
	synctest.Test(t, func(t *testing.T) {
		begun, heard := time.Now(), time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		p := b.canned(func(r *http.Request) io.Reader {
			late := io.LimitReader(drippingBody{r.Context(), event, 9 * time.Minute}, int64(len(event)))
			return io.MultiReader(strings.NewReader(before[:begin]), late, drippingBody{r.Context(), b.Ping + "\n\n", 15 * time.Second})
		})
		_, err := p.Stream(ctx, b.Request, func(agent.Delta) { heard = time.Now() })
		require.Error(t, err)
		require.Greater(t, heard.Sub(begun), 18*time.Minute)
		require.LessOrEqual(t, heard.Sub(begun), 19*time.Minute)
	})
}

// drippingBody sends a piece from time to time.
type drippingBody struct {
	ctx   context.Context
	piece string
	every time.Duration
}

func (d drippingBody) Read(to []byte) (int, error) {
	select {
	case <-time.After(d.every):
		return strings.NewReader(d.piece).Read(to)
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}
