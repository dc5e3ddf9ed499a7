package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

// counter counts what is written and, every megabyte, how much memory is in use.
type counter struct {
	bytes, next int64
	peak        uint64
}

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	if c.bytes >= c.next {
		c.next = c.bytes + 1<<20
		c.peak = max(c.peak, exporttest.Heap())
	}
	return len(b), nil
}

// A log ten times as long needs no more memory.
func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	for _, format := range formats.All() {
		peak := func(records lifecycle.Seq) uint64 {
			before := exporttest.Heap()
			var c counter
			require.NoError(t, Write(t.Context(), &c, formats.Options{Format: format}, exporttest.Long(records), exporttest.Root, records))
			if format != formats.Patch { // it changed no file
				require.Greater(t, c.bytes, int64(records)*50)
			}
			return c.peak - min(before, c.peak)
		}
		small, large := peak(2_000), peak(20_000)
		require.Less(t, large, small+2<<20, "%s", format)
	}
}

// wide is a session of so many subagents, each with a prompt, a text that it was
// cut off in, and warnings of so many bytes. One call of the parent started all.
func wide(runs, text int) (book.Source, lifecycle.Seq) {
	const each = 5 // records a run
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	long := func(n int) string { return fmt.Sprint(n, strings.Repeat(" the refund path", text/16)) }
	record := func(seq lifecycle.Seq) lifecycle.Record {
		n := int(seq-1) / each
		id := lifecycle.RunID(fmt.Sprint("r-", n))
		rec := lifecycle.Record{Seq: seq, Time: start.Add(time.Duration(seq) * time.Millisecond), Root: exporttest.Root, Session: lifecycle.SessionID("s-" + id), Run: id}
		switch (seq - 1) % each { // each text is long: none is made in vain
		case 0:
			rec.Event = lifecycle.Spawned{Spec: lifecycle.Spec{Root: exporttest.Root, Parent: exporttest.Root, ParentRun: "r-p1", Call: lifecycle.CallID("c-" + id), Trigger: lifecycle.TriggerAgent, Prompt: long(n), Description: "look"}}
		case 1:
			rec.Event = lifecycle.Started{}
		case 2:
			rec.Event = lifecycle.StepStarted{Step: 1}
		case 3:
			rec.Event = lifecycle.Warned{Kind: lifecycle.WarnSilence, Message: long(n)}
		default:
			rec.Event = lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: long(n)}, Reason: long(n), Partial: long(n)}
		}
		return rec
	}
	run := func(n int) (run lifecycle.Run, err error) {
		for i := range each {
			if run, err = run.Apply(record(lifecycle.Seq(n*each + i + 1))); err != nil {
				return run, err
			}
		}
		return run, nil
	}
	src := book.Source{
		Session: book.Session{ID: exporttest.Root, Created: start},
		Runs: func(_ context.Context, _ lifecycle.SessionID, after, limit int) (page []lifecycle.Run, err error) {
			for n := after; n < runs && len(page) < limit; n++ {
				one, err := run(n)
				if err != nil {
					return nil, err
				}
				page = append(page, one)
			}
			return page, nil
		},
		Records: func(_ context.Context, _ lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			var page []lifecycle.Record
			for seq := after + 1; seq <= lifecycle.Seq(runs*each) && len(page) < limit; seq++ {
				page = append(page, record(seq))
			}
			return page, nil
		},
		Messages: func(_ context.Context, in lifecycle.SessionID, _ lifecycle.Seq, after, limit int) (page []book.Message, err error) {
			for n := after; in == exporttest.Root && n < runs && len(page) < limit; n++ {
				call := lifecycle.CallID(fmt.Sprint("c-r-", n))
				page = append(page, book.Message{Kind: lifecycle.EntryAssistant, Role: agent.RoleAssistant, Run: "r-p1", Parts: []book.Part{{Type: book.PartCall, Call: call, Name: "agent", Input: []byte("{}")}}})
			}
			return page, nil
		},
	}
	return src, lifecycle.Seq(runs * each)
}

// talkative is long's session with a transcript of so many steps: an answer that
// calls a tool, and its result.
func talkative(steps int) book.Source {
	src := exporttest.Long(100)
	text := strings.Repeat("package shop\n", 80)
	src.Messages = func(_ context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, after, limit int) (page []book.Message, err error) {
		for n := after; n < 2*steps && len(page) < limit; n++ {
			call := lifecycle.CallID(fmt.Sprint("call_", n/2))
			m := book.Message{Kind: lifecycle.EntryAssistant, Role: agent.RoleAssistant, Run: "r-p1", Parts: []book.Part{{Type: book.PartCall, Call: call, Name: "read", Input: []byte(`{"path":"refund.go"}`)}}}
			if n%2 == 1 {
				m = book.Message{Kind: lifecycle.EntryToolResult, Role: agent.RoleTool, Run: "r-p1", Parts: []book.Part{{Type: book.PartResult, Call: call, Name: "read", Text: text}}}
			}
			page = append(page, m)
		}
		return page, nil
	}
	return src
}

// memoryOf is how much more memory an export has in use than there was before it.
func memoryOf(t *testing.T, format formats.Format, src book.Source, upto lifecycle.Seq) uint64 {
	before := exporttest.Heap()
	var c counter
	require.NoError(t, Write(t.Context(), &c, formats.Options{Format: format}, src, exporttest.Root, upto))
	return c.peak - min(before, c.peak)
}

// A run is held in short: of 16 MB of texts in 400 runs a page of each kind is in memory.
func TestMemoryDoesNotGrowWithTheTextsOfRuns(t *testing.T) {
	for _, format := range formats.All() {
		brief, upto := wide(400, 100)
		wordy, _ := wide(400, 8_000)
		require.Less(t, memoryOf(t, format, wordy, upto), memoryOf(t, format, brief, upto)+7<<20, "%s", format)
	}
}

// A transcript ten times as long needs no more memory, but for the names of its calls on a page.
func TestMemoryDoesNotGrowWithTheTranscript(t *testing.T) {
	for _, format := range formats.All() {
		require.Less(t, memoryOf(t, format, talkative(10_000), 100), memoryOf(t, format, talkative(1000), 100)+3<<20, "%s", format)
	}
}

// What happens to a run while an export is written is not in it.
func TestARunThatMovesOnMeanwhileIsWrittenAsItStood(t *testing.T) {
	s := exporttest.Plot(t)
	upto, before := s.Upto(), slices.Clone(s.Runs)
	want := map[formats.Format][]byte{}
	for _, format := range formats.All() {
		want[format] = printed(s, format, upto)
	}
	moved := 0
	for _, run := range before {
		if run.Notification.Pending() {
			s.Add(run.Session, run.ID, lifecycle.NotificationDelivered{InRun: "r-p1", Step: 9}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r-p1"})
			moved++
		}
	}
	require.Positive(t, moved)
	for _, format := range formats.All() {
		src, read := s.Source(), false
		after := src.Runs
		src.Runs = func(ctx context.Context, id lifecycle.SessionID, from, limit int) ([]lifecycle.Run, error) {
			if read {
				return after(ctx, id, from, limit)
			}
			read = true
			return before[from:min(from+limit, len(before))], nil
		}
		var out bytes.Buffer
		require.NoError(t, Write(t.Context(), &out, formats.Options{Format: format}, src, exporttest.Root, upto))
		require.Equal(t, string(want[format]), out.String())
	}
}

func TestExportStopsWithItsContext(t *testing.T) {
	for _, format := range formats.All() {
		ctx, cancel := context.WithCancelCause(t.Context())
		src, asked := exporttest.Long(1_000_000), 0
		records := src.Records
		src.Records = func(ctx context.Context, id lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			if asked++; asked == 3 {
				cancel(io.ErrClosedPipe)
			}
			return records(ctx, id, after, limit)
		}
		err := Write(ctx, io.Discard, formats.Options{Format: format}, src, exporttest.Root, 1_000_000)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Equal(t, 3, asked)
	}
}

// BenchmarkMillion is load L2: a million records in at most a minute, with at
// most 64 MB more in use.
func BenchmarkMillion(b *testing.B) {
	const records = 1_000_000
	for _, format := range formats.All() {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var c counter
				c.next = 16 << 20
				before := exporttest.Heap()
				require.NoError(b, Write(b.Context(), &c, formats.Options{Format: format}, exporttest.Long(records), exporttest.Root, records))
				b.ReportMetric(float64(c.peak-min(before, c.peak))/(1<<20), "MB-more")
				b.ReportMetric(float64(c.bytes)/(1<<20), "MB-written")
				b.ReportMetric(records*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			}
		})
	}
}
