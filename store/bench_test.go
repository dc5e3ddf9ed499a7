package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// piece is a second's worth of text.
var piece = lifecycle.Text{Text: strings.Repeat("the refund path checks the ledger twice ", 5)}

// BenchmarkAppend is the log at its busiest: five subagents that write and call
// tools, one change a record, a hundred changes a transaction.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("batch=%d", size), func(b *testing.B) {
			s := open(b, file(b))
			j := busy(b, s)
			var took []float64 // in ms
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				b.StopTimer()
				batch := work(j, size)
				b.StartTimer()
				since := time.Now()
				require.NoError(b, s.Append(context.Background(), batch))
				took = append(took, time.Since(since).Seconds()*1000)
			}
			b.ReportMetric(float64(size)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			switch size {
			case 1:
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2], "ms/record-p50(aim:1)")
				b.ReportMetric(took[len(took)*99/100], "ms/record-p99")
			case 100:
				b.ReportMetric(20_000, "records/s(aim)")
			}
		})
	}
}

// BenchmarkMillion is a reopened session of a million records: what its first
// screen waits for.
func BenchmarkMillion(b *testing.B) {
	path := file(b)
	s := open(b, path)
	j := busy(b, s)
	records := 1_000_000
	if testing.Short() {
		records = 20_000
	}
	for len(j.records) < records {
		j.mark(j.root, j.id("p1"), lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", Text: "go on"}},
			lifecycle.MessageTaken{Message: "m", Step: 1, Text: "go on"})
		require.NoError(b, s.Append(context.Background(), append(work(j, 998), j.take())))
	}
	require.NoError(b, s.Close())

	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s, err := Open(b.Context(), path, Options{})
			require.NoError(b, err)
			require.NoError(b, s.Close())
		}
	})
	b.Run("first screen", func(b *testing.B) { // all that a reopened session's waits for
		for b.Loop() {
			s, err := Open(b.Context(), path, Options{})
			require.NoError(b, err)
			_, err = s.Load(b.Context(), j.root)
			require.NoError(b, err)
			_, err = s.Tail(b.Context(), j.root, j.root, 0, 400)
			require.NoError(b, err)
			b.StopTimer()
			require.NoError(b, s.Close())
			b.StartTimer()
		}
		b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/reopen(aim:300)")
	})
	s = open(b, path)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			loaded, err := s.Load(b.Context(), j.root)
			require.NoError(b, err)
			require.Equal(b, j.seq, loaded.Seq)
		}
	})
	b.Run("tail", func(b *testing.B) {
		for b.Loop() {
			records, err := s.Tail(b.Context(), j.root, j.root, 0, 200)
			require.NoError(b, err)
			require.NotEmpty(b, records)
		}
	})
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			records, err := s.Records(b.Context(), j.root, j.seq/2, 2000)
			require.NoError(b, err)
			require.NotEmpty(b, records)
		}
	})
	defer b.Run("remove", func(b *testing.B) {
		for b.Loop() { // the first time is the one that counts: run it with -benchtime 1x
			if err := s.Remove(b.Context(), j.root); err != nil {
				require.ErrorIs(b, err, ErrUnknown)
			}
		}
		b.ReportMetric(float64(sizeOf(s.path))/1e6, "MB")
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, s.Check(b.Context()))
		}
		b.ReportMetric(float64(sizeOf(s.path))/1e6, "MB")
	})
}

// BenchmarkManyRuns is a session that ran ten thousand subagents.
func BenchmarkManyRuns(b *testing.B) {
	s := open(b, file(b))
	j := newJournal(b, lifecycle.NewSessionID()).parent().into(s)
	for n := 0; n < 10_000; n += 100 {
		var changes []lifecycle.Change
		for i := range 100 {
			name := fmt.Sprint(n + i)
			changes = append(changes, j.child(name).owed(name).take())
		}
		require.NoError(b, s.Append(context.Background(), changes))
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			loaded, err := s.Load(b.Context(), j.root)
			require.NoError(b, err)
			require.Len(b, loaded.Runs, 10_001)
		}
	})
	b.Run("sessions", func(b *testing.B) {
		for b.Loop() {
			infos, err := s.Sessions(b.Context(), Filter{RootsOnly: true, Limit: 50})
			require.NoError(b, err)
			require.Equal(b, 10_000, infos[0].Unread)
		}
	})
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Session(b.Context(), "no such session")
			require.Error(b, err)
		}
	})
}

// busy is a root session with five subagents at work.
func busy(b testing.TB, s *Store) *journal {
	j := newJournal(b, lifecycle.NewSessionID()).parent()
	for n := range 5 {
		j.child(fmt.Sprint(n))
	}
	return j.into(s)
}

// work is the next changes of the subagents.
func work(j *journal, size int) []lifecycle.Change {
	changes := make([]lifecycle.Change, size)
	for i := range changes {
		name := fmt.Sprint(i % 5)
		var event lifecycle.Event = piece
		switch run := j.runs[j.id(name)]; {
		case len(run.Partial) > 2000:
			event = lifecycle.StepStarted{Step: run.Step + 1}
		case len(run.Tools) > 0:
			event = lifecycle.ToolEnded{Call: "c", Tool: "read", Status: lifecycle.ToolOK, View: []byte(`{"plain":"120 lines"}`)}
		case i%3 == 0:
			event = lifecycle.ToolStarted{Call: "c", Tool: "read", Label: "main.go", Input: []byte(`{"path":"main.go"}`)}
		}
		changes[i] = j.mark(j.session(name), j.id(name), event).take()
	}
	return changes
}
