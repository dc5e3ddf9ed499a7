package ui

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// a session of old: what its log holds, and its run.
func longAgo(t *testing.T) Opened {
	before := newScreen(t, 80, 24)
	before.ask("the last question")
	records := before.talk(root).records
	return Opened{
		Snapshot: lifecycle.Snapshot{Root: root, Seq: before.seq, Reopened: true, Runs: []lifecycle.Run{before.runs.of(root)}},
		Tail:     records,
	}
}

// until opens a session when the test says so.
func until(whole Opened, say chan error) func(*Options) {
	return func(o *Options) {
		o.Tail = whole.Tail
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: whole.Snapshot.Seq, Reopened: true}
		o.Open = func(ctx context.Context) (Opened, error) {
			select {
			case err := <-say:
				return whole, err
			case <-ctx.Done():
				return Opened{}, context.Cause(ctx)
			}
		}
	}
}

func TestTheEndOfASessionIsShownBeforeItsRunsAreRead(t *testing.T) {
	whole := longAgo(t)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal) { until(whole, nil)(o) })
	require.Contains(t, s.text(), "the last question")
	s.typed("half a thought")
	require.Empty(t, s.runs.order)
	s.send(whole)
	require.Len(t, s.runs.order, 1)
	require.Contains(t, s.text(), "the last question")
	require.Contains(t, s.text(), "half a thought", "what was typed before stands")
	require.Equal(t, whole.Tail, s.talk(root).records, "each record once")
}

func TestASessionThatCannotBeOpenedEndsTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := typist(t)
		broken := errors.New("open session s1: the log does not add up")
		say, options := make(chan error, 1), Options{
			Route: &route{}, In: in, Out: &sheet{}, Env: []string{"TERM=xterm-256color"}, Width: 80, Height: 24,
		}
		until(longAgo(t), say)(&options)
		done := make(chan error, 1)
		go func() {
			_, err := Run(t.Context(), options)
			done <- err
		}()
		synctest.Wait()
		require.Empty(t, done)
		say <- broken
		require.Equal(t, broken, <-done)
	})
}

func TestWhoLeavesWhileASessionIsOpenedJustLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, press := typist(t)
		options := Options{
			Route: &route{}, In: in, Out: &sheet{}, Env: []string{"TERM=xterm-256color"}, Width: 80, Height: 24,
		}
		until(longAgo(t), nil)(&options)
		done := make(chan ended, 1)
		go func() {
			ending, err := Run(t.Context(), options)
			done <- ended{ending, err}
		}()
		synctest.Wait()
		press("\x03")
		press("\x03")
		require.Equal(t, ended{ending: Ending{Cause: lifecycle.CauseQuit}}, <-done)
	})
}
