package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/machines"
	"pawl/internal/machines/dispatch"
	"pawl/internal/machines/worker"
	"pawl/internal/natstest"
	"pawl/lifecycle"
)

func begin(t *testing.T, h *host, order dispatch.Order) (*dispatch.Placement, *pipe) {
	t.Helper()
	p, err := h.d.Place(t.Context(), order)
	require.NoError(t, err)
	one := h.pipe(context.WithoutCancel(t.Context()), p)
	t.Cleanup(one.done)
	return p, one
}

func (w *world) removed(run lifecycle.RunID) {
	w.t.Helper()
	w.until("the place is removed", func() bool { return w.left[run] == 0 && w.working[run] == 0 })
}

func TestARunIsWorkedAtOnAnotherMachineAndWhatItLeftComesBack(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Name: "alpha"}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	require.Equal(t, "alpha", p.Claim().Name)
	require.Equal(t, "1.0", p.Claim().Version)
	require.False(t, p.Resumed())
	one.say(t, "hello")
	require.Equal(t, "hello of "+string(run), one.line(t))
	one.say(t, "exit")
	require.Equal(t, "end of "+string(run), one.line(t))
	require.Zero(t, <-one.exit)
	require.NoError(t, one.err)
	result, err := p.Result(t.Context())
	require.NoError(t, err)
	require.JSONEq(t, `"left by `+string(run)+`"`, string(result))
	p.End()
	w.removed(run)
}

func TestALineLongerThanAFrameArrivesWhole(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, one := begin(t, h, h.order(run, 1, false))
	long := strings.Repeat("0123456789abcdef", 3*machines.MaxFrame/16)
	go one.say(t, long)
	require.Equal(t, long+" of "+string(run), one.line(t))
	one.say(t, "short")
	require.Equal(t, "short of "+string(run), one.line(t))
	p.End()
	require.True(t, (<-one.exit).Lost, "nobody waits for an attempt that was ended")
	w.removed(run)
}

func TestAStopKillsTheProcessAndStillBringsWhatItLeft(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	run := lifecycle.NewRunID()
	p, err := h.d.Place(t.Context(), h.order(run, 1, false))
	require.NoError(t, err)
	ctx, stop := context.WithCancelCause(t.Context())
	one := h.pipe(ctx, p)
	defer one.done()
	one.say(t, "hello")
	one.line(t)
	stop(errors.New("stopped by the user"))
	require.Equal(t, 137, (<-one.exit).Code)
	require.NoError(t, one.err)
	result, err := p.Result(t.Context())
	require.NoError(t, err)
	require.Contains(t, string(result), "left by")
	p.End()
	w.removed(run)
}

func TestAPlaceThatCannotBeMadeEndsTheRunWithItsLine(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Prepare: func(context.Context, worker.Run) (worker.Workplace, error) {
		return nil, errors.New("the bundle does not apply: its basis is missing")
	}}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	p, one := begin(t, h, h.order(lifecycle.NewRunID(), 1, false))
	<-one.exit
	require.EqualError(t, one.err, "the bundle does not apply: its basis is missing")
	p.End()
}

func TestAWorkerTakesJobsForItsLabelsAlone(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Name: "plain"}, machines.Options{})
	w.worker(worker.Options{Name: "gpu", Labels: []string{"gpu", "linux"}}, machines.Options{})
	h := w.host(machines.Options{})
	for range 5 {
		p, _ := begin(t, h, h.order(lifecycle.NewRunID(), 1, false, "linux", "gpu"))
		require.Equal(t, "gpu", p.Claim().Name)
		p.End()
		p, _ = begin(t, h, h.order(lifecycle.NewRunID(), 1, false, "linux"))
		require.Equal(t, "gpu", p.Claim().Name)
		p.End()
	}
	_, err := h.d.Place(t.Context(), h.order(lifecycle.NewRunID(), 1, false, "a b"))
	require.ErrorContains(t, err, `label "a b"`)
}

func TestAJobWaitsForASlotAndIsToldWhy(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Slots: 1}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	first, _ := begin(t, h, h.order(lifecycle.NewRunID(), 1, false))
	why := make(chan string, 16)
	second := h.order(lifecycle.NewRunID(), 1, false)
	second.Waiting = func(line string) { why <- line }
	placed := make(chan error, 1)
	go func() {
		p, err := h.d.Place(t.Context(), second)
		if err == nil {
			defer p.End()
		}
		placed <- err
	}()
	for line := range why {
		if line == "waits for a worker: 1 is there, all slots are taken" {
			break
		}
	}
	first.End()
	require.NoError(t, <-placed)
}

func TestAJobNobodyCanTakeSaysWhyAndCanBeStopped(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Protocol: protocol + 1}, machines.Options{Times: patient})
	w.worker(worker.Options{}, machines.Options{Times: patient})
	h := w.host(machines.Options{Times: patient})
	order := h.order(lifecycle.NewRunID(), 1, false, "gpu")
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("stopped")
	order.Waiting = func(line string) {
		if line == "waits for a worker with gpu; 1 is there, without it; 1 worker speaks another version (1.0)" {
			stop(why)
		}
	}
	_, err := h.d.Place(ctx, order)
	require.ErrorIs(t, err, why)
}

func TestAGrantThatFailsEndsTheAttempt(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{Slots: 1}, machines.Options{})
	h := w.host(machines.Options{})
	order := h.order(lifecycle.NewRunID(), 1, false)
	why := errors.New("the database is full")
	order.Grant = func(context.Context, machines.Claim) (json.RawMessage, error) { return nil, why }
	_, err := h.d.Place(t.Context(), order)
	require.ErrorIs(t, err, why)
	p, _ := begin(t, h, h.order(lifecycle.NewRunID(), 1, false)) // the slot is free again
	p.End()
}

func TestAnAttemptIsPlacedOnce(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{})
	h := w.host(machines.Options{})
	order := h.order(lifecycle.NewRunID(), 1, false)
	p, _ := begin(t, h, order)
	_, err := h.d.Place(t.Context(), order)
	require.ErrorContains(t, err, "is placed already")
	p.End()
}

func TestAJobOfAnotherSignatureOrQueueIsRefusedAndTheRunIsTold(t *testing.T) {
	w := newWorld(t, natstest.WithUsers(3))
	w.worker(worker.Options{Name: "strict"}, machines.Options{Creds: w.s.Creds(0).File})
	own := w.host(machines.Options{Creds: w.s.Creds(0).File})
	p, _ := begin(t, own, own.order(lifecycle.NewRunID(), 1, false))
	p.End()

	stranger := w.host(machines.Options{Creds: w.s.Creds(1).File})
	require.NoError(t, stranger.link.Accept([]string{w.s.Creds(0).Key, w.s.Creds(2).Key}))
	_, err := stranger.d.Place(t.Context(), stranger.order(lifecycle.NewRunID(), 1, false))
	var refused *machines.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "the worker strict refused it: it does not accept the key "+w.s.Creds(1).Key+": add that to the file of --accept", err.Error())

	w.worker(worker.Options{Name: "open", Labels: []string{"open"}, Accept: []string{w.s.Creds(1).Key}}, machines.Options{Creds: w.s.Creds(2).File})
	p, _ = begin(t, stranger, stranger.order(lifecycle.NewRunID(), 1, false, "open"))
	require.Equal(t, "open", p.Claim().Name)
	p.End()
}

func TestAGrantMayTakeLongerThanARequest(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{Times: hasty})
	h := w.host(machines.Options{Times: patient})
	order := h.order(lifecycle.NewRunID(), 1, true)
	asked := 0
	order.Grant = func(ctx context.Context, _ machines.Claim) (json.RawMessage, error) {
		asked++
		longer, cancel := context.WithTimeout(ctx, 2*quick.Lease)
		defer cancel()
		<-longer.Done()
		return json.RawMessage("{}"), nil
	}
	p, one := begin(t, h, order)
	one.say(t, "hello")
	require.Equal(t, "hello of "+string(order.Run), one.line(t))
	require.Equal(t, 1, asked)
	p.End()
}

func TestAWorkerWithoutCredentialsTakesAllJobsAndSaysSo(t *testing.T) {
	w := newWorld(t)
	w.worker(worker.Options{}, machines.Options{})
	w.until("it says so", func() bool { return len(w.said) > 0 && strings.HasPrefix(w.said[0], "takes jobs of everybody") })
}

func TestAWorkerRefusesWrongOptions(t *testing.T) {
	w := newWorld(t)
	link := w.dial(machines.Options{})
	require.ErrorContains(t, worker.Serve(t.Context(), worker.Options{Link: link}), "at least one slot")
	require.ErrorContains(t, worker.Serve(t.Context(), worker.Options{Link: link, Slots: 1, Labels: []string{"any"}}), `label "any"`)
	require.ErrorContains(t, worker.Serve(t.Context(), worker.Options{Link: link, Slots: 1, Accept: []string{"me"}}), "not the public key of a NATS user")
}

func TestAFullStreamIsOneLine(t *testing.T) {
	w := newWorld(t, natstest.WithStore(4096))
	h := w.host(machines.Options{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ends := make(chan error, 64)
	for range 64 {
		h.acts.Go(func() {
			_, err := h.d.Place(ctx, h.order(lifecycle.NewRunID(), 1, false))
			ends <- err
		})
	}
	err := <-ends
	require.ErrorContains(t, err, "the stream PAWL_JOBS of the NATS server at "+w.s.URL()+" takes no more jobs")
	require.NotContains(t, err.Error(), "\n")
}
