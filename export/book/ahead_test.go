package book_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// What is read ahead is read once, and nothing behind the end. That no two read at once is
// the race detector's to say: they would write asked.
func TestEachPageIsReadOnce(t *testing.T) {
	src := exporttest.Long(1_000)
	made := src.Records
	var asked [][2]int
	src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		asked = append(asked, [2]int{int(after), limit})
		return made(ctx, id, after, limit)
	}
	met := 0
	require.NoError(t, src.Each(t.Context(), exporttest.Root, 2*book.PageSize+50, func(lifecycle.Record) error {
		met++
		return nil
	}))
	require.Equal(t, [][2]int{{0, book.PageSize}, {book.PageSize, book.PageSize}, {2 * book.PageSize, 50}}, asked)
	require.Equal(t, 2*book.PageSize+50, met)
}

// Who stops in the middle of a page waits for what is read ahead of it, and that is told
// that nobody needs it.
func TestWhatIsReadInVainEndsFirst(t *testing.T) {
	src := exporttest.Long(1_000)
	made := src.Records
	ended := false
	src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		if after == 0 {
			return made(ctx, id, after, limit)
		}
		<-ctx.Done()
		ended = true
		return nil, context.Cause(ctx)
	}
	full := errors.New("the disk is full")
	require.ErrorIs(t, src.Each(t.Context(), exporttest.Root, 1_000, func(lifecycle.Record) error { return full }), full)
	require.True(t, ended)
}
