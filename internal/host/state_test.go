package host

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/fleet"
	"pawl/lifecycle"
)

// quietState is the state of a session in which nothing was said.
func quietState() *state {
	s := newState()
	s.note(func() { s.ledger = lifecycle.NewLedger(lifecycle.Snapshot{Root: "root"}) })
	return s
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
