package lifecycle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// spansOf feeds events to Spans, a second apart, and gives the kinds of the spans that
// were over, each with its seconds.
func spansOf(t *testing.T, events ...Event) (over []Span, under []Span) {
	t.Helper()
	var spans Spans
	for i, event := range events {
		rec := Record{Seq: Seq(i + 1), Time: time.Unix(int64(i), 0), Root: "p", Session: "s", Run: "r", Event: event}
		spans.Note(rec, func(s Span) { over = append(over, s) })
	}
	spans.Open(func(s Span) { under = append(under, s) })
	return over, under
}

type spanSeconds struct {
	kind     SpanKind
	from, to int64
	step     int
}

func secondsOf(spans []Span) (all []spanSeconds) {
	for _, s := range spans {
		to := int64(-1)
		if !s.To.IsZero() {
			to = s.To.Unix()
		}
		all = append(all, spanSeconds{s.Kind, s.From.Unix(), to, s.Step})
	}
	return all
}

func TestSpansAreWhatARunDid(t *testing.T) {
	over, under := spansOf(t,
		Spawned{}, Queued{Position: 1}, Started{}, // 0 1 2
		StepStarted{Step: 1}, Waiting{Why: "rate limited"}, Text{Text: "a"}, UsageReported{}, // 3 4 5 6
		ToolStarted{Call: "a"}, PermissionAsked{Question{ID: "q"}}, PermissionGranted{Question: "q"}, // 7 8 9
		ToolStarted{Call: "b"}, ToolEnded{Call: "a"}, PermissionDenied{Call: "b"}, ToolEnded{Call: "b"}, // 10 11 12 13
		StepStarted{Step: 2}, Warned{Kind: WarnSilence}, StopRequested{Cause: CauseKey}, Ended{State: StateCanceledByUser}, // 14 15 16 17
	)
	require.Empty(t, under)
	require.Equal(t, []spanSeconds{
		{SpanQueued, 0, 2, 0},
		{SpanWaiting, 4, 5, 1},
		{SpanModel, 3, 6, 1},
		{SpanQuestion, 8, 9, 1},
		{SpanTool, 7, 11, 1},
		{SpanDenied, 12, 12, 1},
		{SpanTool, 10, 13, 1},
		{SpanStep, 3, 14, 1},
		{SpanWarned, 15, 15, 2},
		{SpanStop, 16, 16, 2},
		{SpanStep, 14, 17, 2},
		{SpanModel, 14, 17, 2},
		{SpanEnd, 17, 17, 2},
	}, secondsOf(over))
	require.Equal(t, ToolStarted{Call: "a"}, over[4].Begun)
	require.Equal(t, ToolEnded{Call: "a"}, over[4].Done)
	for _, s := range over {
		require.Equal(t, s.From.Unix()+1, int64(s.Seq), "%s names the record that began it", s.Kind)
	}
}

// An attempt that broke tells what it has cost, and the request is made again.
func TestSpansOfARequestThatIsMadeAgainAreTwo(t *testing.T) {
	over, _ := spansOf(t,
		Spawned{}, Started{}, StepStarted{Step: 1}, UsageReported{Usage: Usage{InputTokens: 5}}, // 0 1 2 3
		Waiting{Why: "cut off"}, Text{Text: "a"}, UsageReported{Usage: Usage{InputTokens: 7}}, Ended{State: StateCompleted}, // 4 5 6 7
	)
	require.Equal(t, []spanSeconds{
		{SpanQueued, 0, 1, 0}, {SpanModel, 2, 3, 1}, {SpanWaiting, 4, 5, 1}, {SpanModel, 4, 6, 1}, {SpanStep, 2, 7, 1}, {SpanEnd, 7, 7, 1},
	}, secondsOf(over))
	require.Equal(t, StepStarted{Step: 1}, over[3].Begun)
	require.Equal(t, UsageReported{Usage: Usage{InputTokens: 7}}, over[3].Done)
}

func TestSpansUnderWayAreOpen(t *testing.T) {
	over, under := spansOf(t, Spawned{}, Started{}, StepStarted{Step: 1}, ToolStarted{Call: "a"})
	require.Equal(t, []spanSeconds{{SpanQueued, 0, 1, 0}, {SpanModel, 2, 3, 1}}, secondsOf(over))
	require.Equal(t, []spanSeconds{{SpanStep, 2, -1, 1}, {SpanTool, 3, -1, 1}}, secondsOf(under))
}

// Whoever draws as records come learns of each stretch when it begins: of every one that
// is over later, or still under way.
func TestSpansTellWhatARecordBegan(t *testing.T) {
	var spans Spans
	var got [][]SpanKind
	for i, event := range []Event{
		Spawned{},
		Started{},
		StepStarted{Step: 1},
		Waiting{Why: "a"},
		Waiting{Why: "b"},
		ToolStarted{Call: "a"},
		ToolStarted{Call: "b"},
		PermissionAsked{Question{ID: "q"}},
		ToolEnded{Call: "b"},
		StepStarted{Step: 2},
		Ended{State: StateFailed},
	} {
		spans.Note(Record{Seq: Seq(i + 1), Time: time.Unix(int64(i), 0), Run: "r", Event: event}, func(Span) {})
		kinds := []SpanKind{}
		spans.Begun("r", func(s Span) {
			require.Equal(t, time.Unix(int64(i), 0), s.From)
			kinds = append(kinds, s.Kind)
		})
		got = append(got, kinds)
	}
	require.Equal(t, [][]SpanKind{
		{SpanQueued}, {}, {SpanStep, SpanModel}, {SpanWaiting}, {SpanWaiting}, {SpanTool}, {SpanTool}, {SpanQuestion}, {}, {SpanStep, SpanModel}, {},
	}, got)
	spans.Begun("another", func(s Span) { require.Fail(t, "it began nothing", s) })
}

// Nobody worked on a run after its process had died: what was under way ended when it was
// last heard of.
func TestSpansOfARunThatWasFoundDeadEndWhereItDied(t *testing.T) {
	over, _ := spansOf(t, Spawned{}, Started{}, StepStarted{Step: 1}, Text{Text: "a"}, StopRequested{}, Ended{State: StateInterrupted, Found: true})
	require.Equal(t, []spanSeconds{{SpanQueued, 0, 1, 0}, {SpanStop, 4, 4, 1}, {SpanStep, 2, 3, 1}, {SpanModel, 2, 3, 1}, {SpanEnd, 3, 3, 1}}, secondsOf(over))
}

// A parent's lane has the moments at which it was told of the ends of others.
func TestAToldSpanIsOfTheRunThatWasTold(t *testing.T) {
	var spans Spans
	var told []Span
	for i, rec := range []Record{
		{Session: "p", Run: "p1", Event: Spawned{}},
		{Session: "p", Run: "p1", Event: StepStarted{Step: 4}},
		{Session: "a", Run: "a1", Event: Spawned{}},
		{Session: "a", Run: "a1", Event: Ended{State: StateCompleted}},
		{Session: "a", Run: "a1", Event: NotificationDelivered{InRun: "p1", Step: 4}},
	} {
		rec.Seq, rec.Time = Seq(i+1), time.Unix(int64(i), 0)
		spans.Note(rec, func(s Span) {
			if s.Kind == SpanTold {
				told = append(told, s)
			}
		})
	}
	require.Len(t, told, 1)
	require.Equal(t, []any{RunID("p1"), SessionID("p"), 4, RunID("a1")}, []any{told[0].Run, told[0].Session, told[0].Step, told[0].Of})
}
