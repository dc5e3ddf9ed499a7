package host

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
	"pawl/internal/fleet"
	"pawl/lifecycle"
	"pawl/ui"
)

// quietState is the state of a session in which nothing was said.
func quietState() *state {
	s := newState()
	s.note(func() { s.ledger = lifecycle.NewLedger(lifecycle.Snapshot{Root: "root"}) })
	return s
}

func TestAnEndThatNobodySawStaysUnreadWhenAPersonStopsWhatFollows(t *testing.T) {
	s := quietState()
	seq := lifecycle.Seq(0)
	runs := func(id lifecycle.RunID, end lifecycle.Ended) {
		for _, event := range []lifecycle.Event{lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{}, end} {
			seq++
			rec := lifecycle.Record{Seq: seq, Time: time.Unix(int64(seq), 0), Root: "root", Session: "root", Run: id, Event: event}
			s.note(func() { s.take(lifecycle.Updates{Records: []lifecycle.Record{rec}}) })
		}
	}
	stopped := lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseCommand}
	runs("p1", stopped)
	require.False(t, s.unseen(), "who stopped it knows")
	runs("p2", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "gone"}})
	runs("p3", stopped)
	require.True(t, s.unseen(), "nobody knows of the failure")
	h := &host{state: s, screens: map[*screen]context.CancelCauseFunc{{}: nil}}
	h.countScreens()
	require.False(t, s.unseen())
	runs("p4", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
	require.False(t, s.unseen(), "it was on a screen")
}

func TestAHostThatLeavesBeginsNothingMore(t *testing.T) {
	require.False(t, newState().leave(), "it is not known yet what goes on")
	s := quietState()
	require.True(t, s.leave())
	_, err := s.do(func() (lifecycle.Reply, error) {
		require.Fail(t, "it was begun")
		return lifecycle.Reply{}, nil
	})
	require.ErrorIs(t, err, fleet.ErrLeaving)
}

func TestAHostStaysUntilItHasSeenWhatWasBegun(t *testing.T) {
	s := quietState()
	_, err := s.do(func() (lifecycle.Reply, error) {
		require.False(t, s.leave(), "it is being carried out")
		return lifecycle.Reply{Runs: []lifecycle.Run{{ID: "p1", Seq: 3}}}, nil
	})
	require.NoError(t, err)
	require.False(t, s.leave(), "its records are still to come")
	for i, event := range []lifecycle.Event{
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"},
	} {
		require.False(t, s.leave())
		rec := lifecycle.Record{Seq: lifecycle.Seq(i + 1), Time: time.Unix(int64(i), 0), Root: "root", Session: "root", Run: "p1", Event: event}
		s.note(func() { s.take(lifecycle.Updates{Records: []lifecycle.Record{rec}}) })
	}
	require.True(t, s.leave())
}

func TestQuittingTheLastScreenEndsNothingThatAProgramHasBegun(t *testing.T) {
	supervisor := lifecycle.New(lifecycle.Options{})
	defer func() { require.NoError(t, supervisor.Close(t.Context(), lifecycle.CauseQuit)) }()
	h := &host{
		state: quietState(), session: &app.Session{Root: "0123456789", Supervisor: supervisor},
		screens: map[*screen]context.CancelCauseFunc{},
	}
	_, err := h.state.do(func() (lifecycle.Reply, error) {
		require.False(t, h.state.leaveUnopened(), "nor is the session opened anew")
		h.quit(departure{screen: &screen{}, ending: ui.Ending{Cause: lifecycle.CauseQuit}})
		require.False(t, h.over, "it is being carried out")
		require.Equal(t, "what another program has begun here goes on: pawl attach 23456789", h.goesOn())
		return lifecycle.Reply{}, nil
	})
	require.NoError(t, err)
	require.True(t, h.leaveForGood())
	_, err = h.state.do(nil)
	require.ErrorIs(t, err, fleet.ErrLeaving, "what comes now is not cut off, but refused")
	h.state.stay()
	_, err = h.state.do(func() (lifecycle.Reply, error) { return lifecycle.Reply{}, nil })
	require.NoError(t, err)
}
