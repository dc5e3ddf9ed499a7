package worker_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/remote"
	"pawl/internal/machines"
	"pawl/internal/machines/dispatch"
	"pawl/internal/machines/worker"
	"pawl/lifecycle"
)

func TestAWorkerThatIsCutForLessThanALeaseLosesNothing(t *testing.T) {
	w := newWorld(t)
	wire := w.s.Through(t)
	w.worker(worker.Options{}, machines.Options{URL: wire.URL(), Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	for i, cut := range []func(){wire.Cut, wire.Break} {
		cut()
		one.say(t, strconv.Itoa(i))
		wire.Heal()
		require.Equal(t, fmt.Sprintf("%d of %s", i, run), one.line(t))
	}
	p.End()
	w.removed(run)
}

func TestAProcessKilledOutOfReachIsGoneWhenItsWorkerReturnsAndItsResultComes(t *testing.T) {
	w := newWorld(t)
	wire := w.s.Through(t)
	leased := quick
	leased.Lease = 30 * time.Second
	w.worker(worker.Options{}, machines.Options{URL: wire.URL(), Times: leased})
	h := w.host(machines.Options{Times: leased})
	run := lifecycle.NewRunID()
	p, err := h.d.Place(t.Context(), h.order(run, 1, false))
	require.NoError(t, err)
	ctx, kill := context.WithCancel(t.Context())
	one := h.pipe(ctx, p)
	defer one.done()
	one.say(t, "hello")
	require.Equal(t, "hello of "+string(run), one.line(t))
	wire.Cut()
	kill()
	<-one.exit
	require.ErrorContains(t, one.err, "did not confirm within")
	wire.Heal()
	left, err := p.Result(t.Context())
	require.NoError(t, err)
	require.JSONEq(t, `"left by `+string(run)+`"`, string(left))
	p.End()
	w.removed(run)
}

func TestAnIdempotentRunIsGoneAtACutWorkerBeforeAnotherBeginsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wire := w.s.Through(t)
	w.worker(worker.Options{Name: "cut"}, machines.Options{URL: wire.URL(), Times: machines.DefaultTimes})
	h := w.host(machines.Options{Times: machines.DefaultTimes})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, true))
	require.Equal(t, "cut", p.Claim().Name)
	one.say(t, "wait")
	w.until("it works", func() bool { return w.working[run] == 1 })
	w.worker(worker.Options{Name: "whole"}, machines.Options{Times: machines.DefaultTimes})
	wire.Cut()
	require.True(t, (<-one.exit).Lost)
	p.End()
	p, two := begin(t, h, h.order(run, 2, true))
	require.Equal(t, "whole", p.Claim().Name)
	two.say(t, "hello")
	require.Equal(t, "hello of "+string(run), two.line(t))
	w.until("one works at it", func() bool { return w.working[run] == 1 && w.began[run] == 2 })
	require.Empty(t, w.double)
	wire.Heal()
	p.End()
	w.removed(run)
}

// A worker begins its span with its question, so the host's lease begins with it too.
func TestAWorkerThatAsksAgainForItsGrantIsInReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.host(machines.Options{Times: machines.DefaultTimes})
	order := h.order(lifecycle.NewRunID(), 1, true)
	placed := make(chan *dispatch.Placement, 1)
	h.acts.Go(func() {
		p, err := h.d.Place(context.Background(), order)
		require.NoError(t, err)
		placed <- p
	})
	w.queued(1)
	claim, err := w.dial(machines.Options{Times: once}).Sign(machines.ToHost(h.root, machines.KindClaim), machines.Claim{
		Attempt: machines.Attempt{Run: order.Run, Number: 1}, Worker: "x", Name: "x", Protocol: protocol, Key: key(t),
	})
	require.NoError(t, err)
	asks := time.NewTicker(machines.DefaultTimes.Lease / 4)
	defer asks.Stop()
	var reply machines.ClaimReply
	require.NoError(t, claim.Ask(t.Context(), &reply))
	for range 6 {
		<-asks.C
		require.NoError(t, claim.Ask(t.Context(), &reply))
		require.Equal(t, machines.Granted, reply.Verdict, "it was given up while it asked")
	}
	(<-placed).End()
}

// chatty is where a process works that says more than can be sent, until it is killed.
type chatty struct{ place }

func (p chatty) Start(ctx context.Context, _, out *os.File) (remote.Exit, error) {
	line := []byte(strings.Repeat("x", 4<<10-1) + "\n")
	for ctx.Err() == nil {
		_, _ = out.Write(line)
	}
	return remote.Exit{Code: 137}, nil
}

func TestAProcessWithMuchToSayThatNobodyWantsToHearLeavesItsWorkerFree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wire := w.s.Through(t)
	prepare := func(_ context.Context, run worker.Run) (worker.Workplace, error) {
		w.change(func() { w.left[run.Run]++ })
		return chatty{place{w: w, run: run}}, nil
	}
	m := w.worker(worker.Options{Prepare: prepare}, machines.Options{URL: wire.URL(), Times: machines.DefaultTimes})
	h := w.host(machines.Options{Times: machines.DefaultTimes})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, true))
	_, err := io.CopyN(io.Discard, one.from, 1<<20)
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, one.from) }()
	wire.Cut()
	require.True(t, (<-one.exit).Lost)
	p.End()
	w.removed(run)
	m.stop()
	wire.Heal()
	err = <-m.ended
	m.ended <- err
	require.NoError(t, err)
}
