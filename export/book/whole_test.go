package book_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// lateRun is a session whose one live run was spawned by record 500, by a clock that was
// wrong by so much at that moment. fewest is the earliest record that is read in a page.
func lateRun(t *testing.T, wrong time.Duration, fewest *lifecycle.Seq) (book.Source, lifecycle.Run) {
	src := exporttest.Long(1_000)
	made := src.Records
	src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		if limit > 1 {
			*fewest = min(*fewest, after+1)
		}
		some, err := made(ctx, id, after, limit)
		for i := range some {
			switch rec := &some[i]; {
			case rec.Seq < 500:
				rec.Run = "r-old"
			case rec.Seq == 500:
				rec.Event = lifecycle.Spawned{Spec: lifecycle.Spec{Root: exporttest.Root, Trigger: lifecycle.TriggerUser, Prompt: "Work on."}}
				rec.Time = rec.Time.Add(wrong)
			case rec.Seq == 501:
				rec.Event = lifecycle.Started{}
			}
		}
		return some, err
	}
	var run lifecycle.Run
	log, err := src.Records(t.Context(), exporttest.Root, 499, 401)
	require.NoError(t, err)
	for _, rec := range log {
		run, err = run.Apply(rec)
		require.NoError(t, err)
	}
	src.Runs = func(_ context.Context, _ lifecycle.SessionID, after, _ int) ([]lifecycle.Run, error) {
		return []lifecycle.Run{run}[min(after, 1):], nil
	}
	*fewest = 1_000
	return src, run
}

// A run that is under way is folded anew from where it was spawned. A clock that was set
// back costs a look at the whole log, and no record.
func TestALiveRunIsFoldedFromWhereItWasSpawned(t *testing.T) {
	for wrong, from := range map[time.Duration]lifecycle.Seq{0: 500, time.Hour: 1} {
		var fewest lifecycle.Seq
		src, want := lateRun(t, wrong, &fewest)
		b, err := book.Open(t.Context(), src, exporttest.Root, 900)
		require.NoError(t, err)
		require.Equal(t, from, fewest, "the clock was wrong by %s", wrong)
		got, err := b.Whole(t.Context(), want.ID)
		require.NoError(t, err)
		require.Equal(t, string(exporttest.EncodedBytes(t, want)), string(exporttest.EncodedBytes(t, got)))
	}
}
