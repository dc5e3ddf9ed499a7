package app

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/store"
)

func TestOfSeveralMessagesThatAStepTookInThoseBeforeThePointStay(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer db.Close()
	queued := make(chan struct{})
	work := func(_ context.Context, port *lifecycle.Port) lifecycle.Outcome {
		_, err := port.Step()
		<-queued
		if err == nil {
			_, err = port.Step()
		}
		return lifecycle.Outcome{Text: "ok", Err: err}
	}
	s := lifecycle.New(lifecycle.Options{Journal: db, Work: work, Limits: lifecycle.DefaultLimits(), Attended: true})
	_, err = s.Open(t.Context(), "root", lifecycle.Spec{Model: "test/m"})
	require.NoError(t, err)
	for _, text := range []string{"go", "one", "two"} {
		_, err := s.Do(t.Context(), lifecycle.Send{Session: "root", Text: text})
		require.NoError(t, err)
	}
	close(queued)
	taken := map[string]lifecycle.Seq{}
	ctx, done := context.WithCancel(t.Context())
	_ = s.Watch(ctx, "root", 0, func(u lifecycle.Updates) {
		for _, rec := range u.Records {
			switch e := rec.Event.(type) {
			case lifecycle.MessageTaken:
				taken[e.Text] = rec.Seq
			case lifecycle.Spawned:
				taken[e.Prompt] = rec.Seq
			case lifecycle.Ended:
				done()
			default: // not asked for
			}
		}
	})
	require.NoError(t, s.Close(context.Background(), lifecycle.CauseQuit))
	h := &Session{Base: &base.Base{Store: db}, Root: "root"}
	for text, want := range map[string]int{"go": 0, "one": 1, "two": 2} {
		count, err := h.entriesBefore(t.Context(), taken[text])
		require.NoError(t, err)
		require.Equal(t, want, count, text)
	}
}
