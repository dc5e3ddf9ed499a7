package export

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// long is a session of so many records that are made when they are asked for:
// one run that works on and on, step by step.
func long(records lifecycle.Seq) Source {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	event := func(seq lifecycle.Seq) lifecycle.Event {
		n := int(seq)
		switch seq {
		case 1:
			return lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "Work on."}}
		case 2:
			return lifecycle.Started{}
		case records:
			return lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Done."}
		}
		id := lifecycle.CallID(fmt.Sprint("call_", n/5))
		switch n % 5 {
		case 0:
			return lifecycle.StepStarted{Step: n / 5}
		case 1:
			return lifecycle.Text{Text: "I look at the next file now, and at the tests that go with it."}
		case 2:
			return lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 1000, OutputTokens: 100}}
		case 3:
			return lifecycle.ToolStarted{Call: id, Tool: "read", Label: "refund.go", Input: []byte(`{"path":"refund.go"}`)}
		default:
			return lifecycle.ToolEnded{Call: id, Tool: "read", Status: lifecycle.ToolOK, View: []byte(`{"kind":"plain","view":{"text":"package shop\n\nfunc refund() error { return nil }\n"}}`)}
		}
	}
	record := func(seq lifecycle.Seq) lifecycle.Record {
		return lifecycle.Record{Seq: seq, Time: start.Add(time.Duration(seq) * time.Millisecond), Root: root, Session: root, Run: "r-p1", Event: event(seq)}
	}
	return Source{
		Session: Session{ID: root, Created: start},
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, _ int) ([]lifecycle.Run, error) {
			if after > 0 {
				return nil, nil
			}
			var run lifecycle.Run
			var err error
			for _, seq := range []lifecycle.Seq{1, 2, records} {
				if run, err = run.Apply(record(seq)); err != nil {
					return nil, err
				}
			}
			return []lifecycle.Run{run}, nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			page := make([]lifecycle.Record, 0, limit)
			for seq := after + 1; seq <= records && len(page) < limit; seq++ {
				page = append(page, record(seq))
			}
			return page, nil
		},
		Messages: func(context.Context, lifecycle.SessionID, lifecycle.Seq, int, int) ([]Message, error) {
			return nil, nil
		},
	}
}

// counter counts what is written and, every megabyte, how much memory is in use.
type counter struct {
	bytes, next int64
	peak        uint64
}

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	if c.bytes >= c.next {
		c.next = c.bytes + 1<<20
		c.peak = max(c.peak, heap())
	}
	return len(b), nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A log ten times as long needs no more memory.
func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	for _, format := range Formats() {
		peak := func(records lifecycle.Seq) uint64 {
			before := heap()
			var c counter
			require.NoError(t, Write(t.Context(), &c, Manner{Format: format}, long(records), root, records))
			require.Greater(t, c.bytes, int64(records)*50)
			return c.peak - min(before, c.peak)
		}
		small, large := peak(2_000), peak(20_000)
		require.Less(t, large, small+2<<20, "%s", format)
	}
}

func TestExportStopsWithItsContext(t *testing.T) {
	for _, format := range Formats() {
		ctx, cancel := context.WithCancelCause(t.Context())
		src, asked := long(1_000_000), 0
		records := src.Records
		src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			if asked++; asked == 3 {
				cancel(io.ErrClosedPipe)
			}
			return records(ctx, id, after, limit)
		}
		err := Write(ctx, io.Discard, Manner{Format: format}, src, root, 1_000_000)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Equal(t, 3, asked)
	}
}

// BenchmarkMillion is load L2: a million records in at most a minute, with at
// most 64 MB more in use.
func BenchmarkMillion(b *testing.B) {
	const records = 1_000_000
	for _, format := range Formats() {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var c counter
				c.next = 16 << 20
				before := heap()
				require.NoError(b, Write(b.Context(), &c, Manner{Format: format}, long(records), root, records))
				b.ReportMetric(float64(c.peak-min(before, c.peak))/(1<<20), "MB-more")
				b.ReportMetric(float64(c.bytes)/(1<<20), "MB-written")
			}
		})
	}
}
