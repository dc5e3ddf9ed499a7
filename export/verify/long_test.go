package verify

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// longTold is a long session with the transcript that goes with it, and with the heap's
// peak while its records are read.
func longTold(records lifecycle.Seq, peak *uint64) book.Source {
	src := exporttest.Long(records)
	read, pages := src.Records, 0
	src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		if pages++; pages%10 == 0 {
			*peak = max(*peak, exporttest.Heap())
		}
		some, err := read(ctx, id, after, limit)
		for i := range some {
			switch some[i].Seq {
			case 2: // one moment with its spawn
				some[i].Time = some[i].Time.Add(-time.Millisecond)
			case 3: // no call before its first step
				some[i].Event = lifecycle.Warned{Kind: lifecycle.WarnHook, Message: "a hook has said something"}
			case 4: // what its last answer, which has no step, is paid with
				some[i].Event = lifecycle.UsageReported{}
			}
		}
		return some, err
	}
	src.Messages = func(_ context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, after, limit int) ([]book.Message, error) {
		var some []book.Message
		last := 2*(int(records/5)-1) + 1
		for n := after; n <= last && len(some) < limit; n++ {
			call := lifecycle.CallID(fmt.Sprint("call_", (n+1)/2))
			m := book.Message{Kind: lifecycle.EntryAssistant, Role: "assistant", Run: "r-p1", Parts: []book.Part{{Type: book.PartCall, Call: call, Name: "read"}}}
			switch {
			case n == 0:
				m = book.Message{Kind: lifecycle.EntryUser, Role: "user", Run: "r-p1", From: lifecycle.FromUser, Parts: []book.Part{{Type: book.PartText, Text: "Work on."}}}
			case n == last:
				m.Parts = []book.Part{{Type: book.PartText, Text: "Done."}}
			case n%2 == 0:
				m = book.Message{Kind: lifecycle.EntryToolResult, Role: "tool", Run: "r-p1", Parts: []book.Part{{Type: book.PartResult, Call: call, Name: "read", Text: "package shop"}}}
			}
			some = append(some, m)
		}
		return some, nil
	}
	return src
}

// triedLong verifies a long session. Its only receipt is not made from all its records.
func triedLong(t testing.TB, records lifecycle.Seq) (peak uint64) {
	before := exporttest.Heap()
	verdict, err := Session(t.Context(), longTold(records, &peak), records)
	require.NoError(t, err)
	require.Len(t, verdict.Faults, 1)
	require.Equal(t, promiseReceipts, verdict.Faults[0].Promise)
	return peak - min(before, peak)
}

// A log, and a transcript, ten times as long need no more memory.
func TestVerifyingNeedsNoMoreMemoryForALongerLog(t *testing.T) {
	small, large := triedLong(t, 5_000), triedLong(t, 50_000)
	require.Less(t, large, small+2<<20)
}

func TestVerifyingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	_, err := Session(ctx, exporttest.Long(1_000), 1_000)
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// A document in which all is wrong is told of in part, and counted.
func TestFaultsAreBoundedAndCounted(t *testing.T) {
	src := exporttest.Long(10_000)
	read := src.Records
	src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		some, err := read(ctx, id, after, limit)
		for i := range some {
			some[i].Root = "s-other"
		}
		return some, err
	}
	verdict, err := Session(t.Context(), src, 10_000)
	require.NoError(t, err)
	require.Len(t, verdict.Faults, mostFaults)
	require.Greater(t, verdict.More, 8_000)
}

func BenchmarkVerifyMillion(b *testing.B) {
	const records = 1_000_000
	for b.Loop() {
		begun := time.Now()
		peak := triedLong(b, records)
		b.ReportMetric(float64(peak)/(1<<20), "MB-more")
		b.ReportMetric(records/time.Since(begun).Seconds(), "records/s")
	}
}
