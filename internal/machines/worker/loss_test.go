package worker_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
	"pawl/internal/machines/worker"
	"pawl/internal/natstest"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
)

func TestARunGoesOnWhenTheServerRestarts(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, true))
	for i := range 3 {
		w.s.Stop()
		one.say(t, strconv.Itoa(i))
		w.s.Restart()
		require.Equal(t, fmt.Sprintf("%d of %s", i, run), one.line(t))
	}
	one.say(t, "exit")
	require.False(t, (<-one.exit).Lost)
	p.End()
	w.removed(run)
	require.Equal(t, 1, w.began[run])
}

func TestAJobThatWaitsSurvivesTheServer(t *testing.T) {
	w := newWorld(t)
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	h.drive(run, false, 3)
	w.queued(1)
	w.s.Stop()
	w.s.Restart()
	w.worker(worker.Options{}, machines.Options{Times: patient})
	w.until("it ends", func() bool { return len(h.endsOf(run)) == 1 })
	require.Equal(t, []string{`"left by ` + string(run) + `"`}, h.endsOf(run))
}

func TestAJobWhoseHostIsAwayIsGivenBackAndPlacedWhenItReturns(t *testing.T) {
	w := newWorld(t)
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	h.drive(run, false, 3)
	w.queued(1)
	h.leave()
	m := w.worker(worker.Options{Slots: 1}, machines.Options{Times: hasty})
	other := w.host(machines.Options{Times: patient})
	p, _ := begin(t, other, other.order(lifecycle.NewRunID(), 1, false))
	p.End()
	h.open(machines.Options{Times: patient})
	h.drive(run, false, 3)
	w.until("it ends", func() bool { return len(h.endsOf(run)) == 1 })
	require.Equal(t, []string{`"left by ` + string(run) + `"`}, h.endsOf(run))
	require.Equal(t, 1, w.began[run])
	m.stop()
	require.NoError(t, <-m.ended)
	m.ended <- nil
	w.queued(0)
}

func TestARunThatItsWorkerGaveUpIsLostOnlyWhenItsProcessIsGone(t *testing.T) {
	w := newWorld(t)
	wire := w.s.Through(t)
	dies := make(chan struct{})
	w.worker(worker.Options{Prepare: func(_ context.Context, run worker.Run) (worker.Workplace, error) {
		return place{w: w, run: run, dies: dies}, nil
	}}, machines.Options{URL: wire.URL()})
	h := w.host(machines.Options{})
	run := lifecycle.NewRunID()
	_, one := begin(t, h, h.order(run, 1, true))
	one.say(t, "wait")
	w.until("it works", func() bool { return w.working[run] == 1 })
	wire.Break()
	w.until("it is given up", func() bool {
		return slices.ContainsFunc(w.said, func(line string) bool { return strings.HasPrefix(line, "gives up run "+string(run)) })
	})
	h.leave()
	wire.Heal()
	h.open(machines.Options{Times: patient})
	known := make(chan int, 1)
	h.acts.Go(func() {
		_, err := h.d.Resume(context.Background(), h.order(run, 1, true), h.placement(run).Worker)
		w.mu.Lock()
		defer w.mu.Unlock()
		if errors.Is(err, machines.ErrLost) {
			known <- w.working[run]
		}
		close(known)
	})
	asked := time.NewTimer(2 * quick.Beat) // in which the worker is asked, and its answer would be here
	<-asked.C
	close(dies)
	require.Zero(t, <-known, "it was lost while it still worked")
}

func TestARunThatIsNotIdempotentIsKilledWhenItsLostWorkerIsInReachAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wire := w.s.Through(t)
	w.worker(worker.Options{}, machines.Options{URL: wire.URL(), Times: machines.DefaultTimes})
	h := w.host(machines.Options{Times: machines.DefaultTimes})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "wait")
	w.until("it works", func() bool { return w.working[run] == 1 })
	wire.Break()
	require.True(t, (<-one.exit).Lost)
	p.End()
	w.until("it goes on without a server", func() bool { return w.working[run] == 1 })
	wire.Heal()
	w.removed(run)
}

func TestAKilledWorkerIsLostAfterALease(t *testing.T) {
	w := newWorld(t)
	m := w.worker(worker.Options{}, machines.Options{})
	h := w.host(machines.Options{})
	before := time.Now()
	p, one := begin(t, h, h.order(lifecycle.NewRunID(), 1, false))
	m.kill()
	require.True(t, (<-one.exit).Lost)
	require.GreaterOrEqual(t, time.Since(before), quick.Lease)
	_, err := p.Result(t.Context())
	require.ErrorIs(t, err, machines.ErrLost)
	p.End()
}

func TestAStoppedWorkerSaysSoAtOnceAndLeavesNothing(t *testing.T) {
	w := newWorld(t)
	m := w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "wait")
	m.stop()
	exit := <-one.exit
	require.True(t, exit.Lost)
	require.Equal(t, "the worker was stopped", exit.Said)
	_, err := p.Result(t.Context())
	require.ErrorIs(t, err, machines.ErrLost, "what it says it has left is nothing")
	p.End()
	require.NoError(t, <-m.ended)
	m.ended <- nil
	require.Zero(t, w.left[run])
	for listed := true; listed; { // a busy server takes it off a moment later
		workers, err := h.link.Workers(t.Context())
		listed = err != nil || len(workers) > 0
	}
}

func TestACutHostLosesNoRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wire := w.s.Through(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	leased := quick
	leased.Lease = 5 * time.Second // a busy machine is silent for a while
	h := w.host(machines.Options{URL: wire.URL(), Times: leased})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, true))
	for i, cut := range []func(){wire.Cut, wire.Break} {
		cut()
		longer := time.NewTimer(2 * leased.Lease)
		select {
		case <-one.exit:
			t.Fatal("the run was given up")
		case <-longer.C:
		}
		wire.Heal()
		one.say(t, strconv.Itoa(i))
		require.Equal(t, fmt.Sprintf("%d of %s", i, run), one.line(t))
	}
	p.End()
	w.removed(run)
	require.Equal(t, 1, w.began[run])
}

func TestAHostThatComesBackFindsItsRunWhereItIs(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	ctx, leave := context.WithCancelCause(t.Context())
	p, err := h.d.Place(ctx, h.order(run, 1, false))
	require.NoError(t, err)
	one := h.pipe(ctx, p)
	one.say(t, "first")
	require.Equal(t, "first of "+string(run), one.line(t))
	leave(lifecycle.ErrLeft)
	<-one.exit
	require.ErrorIs(t, one.err, lifecycle.ErrLeft)
	one.done()
	h.leave()

	h.open(machines.Options{Times: patient})
	placed := h.placement(run)
	p, err = h.d.Resume(t.Context(), h.order(run, placed.Number, false), placed.Worker)
	require.NoError(t, err)
	require.True(t, p.Resumed())
	one = h.pipe(t.Context(), p)
	defer one.done()
	one.say(t, "second")
	for one.line(t) != "second of "+string(run) { //nolint:revive // what the earlier host may not have dealt with comes first
	}
	one.say(t, "exit")
	require.False(t, (<-one.exit).Lost)
	result, err := p.Result(t.Context())
	require.NoError(t, err)
	require.Contains(t, string(result), "left by")
	p.End()
	w.removed(run)
	require.Equal(t, 1, w.began[run])
}

func TestAHostThatComesBackAfterTheEndStillLearnsOfIt(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "exit")
	<-one.exit
	_, err := p.Result(t.Context())
	require.NoError(t, err)
	h.leave() // before it has recorded any of that

	h.open(machines.Options{Times: patient})
	p, err = h.d.Resume(t.Context(), h.order(run, 1, false), h.placement(run).Worker)
	require.NoError(t, err)
	one = h.pipe(t.Context(), p)
	defer one.done()
	require.Equal(t, "end of "+string(run), one.line(t), "the last line comes again")
	require.Zero(t, <-one.exit)
	_, err = p.Result(t.Context())
	require.NoError(t, err)
	p.End()
	w.removed(run)
}

func TestARunThatEndedWhileItsHostWasAwayIsEndedAtTheWorker(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{})
	h := w.host(machines.Options{})
	run := lifecycle.NewRunID()
	_, one := begin(t, h, h.order(run, 1, false))
	one.say(t, "wait")
	h.leave()
	h.end(run, "stopped by another process")
	h.open(machines.Options{})
	w.removed(run)
}

func TestAResumeOfARunThatTheWorkerHasNotIsALoss(t *testing.T) {
	w := newWorld(t)
	m := w.worker(worker.Options{}, machines.Options{})
	h := w.host(machines.Options{})
	run := lifecycle.NewRunID()
	p, _ := begin(t, h, h.order(run, 1, false))
	p.End()
	w.removed(run)
	_, err := h.d.Resume(t.Context(), h.order(run, 2, false), p.Claim().Worker)
	require.ErrorIs(t, err, machines.ErrLost)
	m.kill()
	_, err = h.d.Resume(t.Context(), h.order(run, 3, false), p.Claim().Worker)
	require.ErrorIs(t, err, machines.ErrLost)
}

// TestNoRunIsLostOrWorkedAtByTwoWhateverBreaks plays random faults.
func TestNoRunIsLostOrWorkedAtByTwoWhateverBreaks(t *testing.T) {
	runs := 0
	for _, seed := range soaktest.Seeds(t, 3, 200) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			soaktest.Again(t, seed)
			runs += mayhem(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
	soaktest.Tried(t, runs, "remote runs beside six losses of a worker, a line or the server each")
}

// mayhem gives how many runs there were.
func mayhem(t *testing.T, r *rand.Rand) int {
	w := newWorld(t)
	if r.IntN(2) == 0 {
		w = newWorld(t, natstest.WithUsers(1))
		w.creds = w.s.Creds(0).File
	}
	wires := []*natstest.Wire{w.s.Through(t), w.s.Through(t), w.s.Through(t), w.s.Through(t)}
	var workers []*machine
	for _, wire := range wires[1:] {
		workers = append(workers, w.worker(worker.Options{Slots: 12}, machines.Options{URL: wire.URL()}))
	}
	h := w.host(machines.Options{URL: wires[0].URL()})
	var runs []lifecycle.RunID
	idempotent := map[lifecycle.RunID]bool{}
	more := func(n int) {
		for range n {
			run := lifecycle.NewRunID()
			idempotent[run] = r.IntN(2) == 0
			h.drive(run, idempotent[run], 5+r.IntN(50))
			runs = append(runs, run)
		}
	}
	more(20)
	for range 6 {
		wire := wires[r.IntN(len(wires))]
		switch act := r.IntN(5); act {
		case 0:
			w.s.Stop()
			<-time.After(time.Duration(r.IntN(800)) * time.Millisecond)
			w.s.Restart()
		case 1, 2:
			[]func(){wire.Cut, wire.Break}[act-1]()
			<-time.After(time.Duration(r.IntN(3000)) * time.Millisecond)
			wire.Heal()
		case 3:
			i := r.IntN(len(workers))
			workers[i].kill()
			workers[i] = w.worker(worker.Options{Slots: 12}, machines.Options{URL: wires[1+i].URL()})
		case 4:
			h.leave()
			h.open(machines.Options{URL: wires[0].URL()})
			for _, run := range runs {
				if len(h.endsOf(run)) == 0 {
					h.drive(run, idempotent[run], 5)
				}
			}
		}
		more(10)
	}
	open := func() (left []lifecycle.RunID) {
		for _, run := range runs {
			if len(h.endsOf(run)) == 0 {
				left = append(left, run)
			}
		}
		return left
	}
	w.until("all end", func() bool { return len(open()) == 0 })
	w.until("all is removed", func() bool {
		for _, run := range runs {
			if w.working[run] != 0 || w.left[run] != 0 {
				return false
			}
		}
		return true
	})
	require.Empty(t, w.double, "worked at by two")
	for _, run := range runs {
		ends := h.endsOf(run)
		require.Len(t, ends, 1)
		require.Contains(t, []string{"lost", `"left by ` + string(run) + `"`}, ends[0])
	}
	return len(runs)
}
