package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// endless is a journal whose sessions take for ever to read.
type endless struct{ lifecycle.Journal }

func (endless) Load(ctx context.Context, _ lifecycle.SessionID) (lifecycle.Loaded, error) {
	<-ctx.Done()
	return lifecycle.Loaded{}, ctx.Err()
}

func TestWhoLeavesDoesNotWaitForALongSessionToBeRead(t *testing.T) {
	h := &Session{Root: "root", Supervisor: lifecycle.New(lifecycle.Options{Journal: endless{}})}
	h.Opening = h.begin(t.Context(), lifecycle.Spec{})
	require.False(t, h.Opening.ready())
	h.endRuns(lifecycle.CauseQuit)
	_, err := h.Opening.Wait(t.Context())
	require.ErrorIs(t, err, context.Canceled)
	_, err = Route{h}.Do(t.Context(), lifecycle.Send{Session: "root", Text: "too late"})
	require.ErrorIs(t, err, context.Canceled)
}
