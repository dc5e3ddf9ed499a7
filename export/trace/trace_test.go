package trace

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/exporttest"
	"pawl/export/redact"
	"pawl/lifecycle"
)

// traced is the trace of a session, up to a record.
func traced(s *exporttest.Story, upto lifecycle.Seq) []byte {
	s.T.Helper()
	var out bytes.Buffer
	require.NoError(s.T, Write(s.T.Context(), &out, s.Source(), s.Facts.ID, upto))
	return out.Bytes()
}

// traceOf exports a story as a trace that keeps to the rules of the format.
func traceOf(t *testing.T, s *exporttest.Story) *drawn {
	t.Helper()
	d := drawTrace(traced(s, s.Upto()))
	require.NoError(t, d.err())
	requireEverySpan(t, s.Records, d)
	return d
}

// requireEverySpan finds each span of the records in a trace, with its times.
func requireEverySpan(t require.TestingT, records []lifecycle.Record, d *drawn) {
	want, got := map[spanDrawn]int{}, map[spanDrawn]int{}
	if len(records) == 0 {
		require.Empty(t, d.slices)
		return
	}
	clock := steadyClock(records)
	var spans lifecycle.Spans
	for i, rec := range records {
		rec.Time = clock[i]
		spans.Note(rec, func(s lifecycle.Span) { want[spanOf(s, clock[0], s.To)]++ })
	}
	spans.Open(func(s lifecycle.Span) { want[spanOf(s, clock[0], clock[len(clock)-1])]++ })
	for _, e := range d.marks {
		got[spanDrawn{e.Category, hundredths(e.At), hundredths(e.At)}]++
	}
	for _, s := range wholeSlices(d) {
		if s.Category != string(sliceRun) {
			got[spanDrawn{s.Category, hundredths(s.At), hundredths(s.end)}]++
		}
	}
	require.Equal(t, want, got)
}

type spanDrawn struct {
	kind     string
	from, to int64
}

func spanOf(s lifecycle.Span, start, to time.Time) spanDrawn {
	return spanDrawn{string(s.Kind), hundredths(s.From.Sub(start).Microseconds()), hundredths(to.Sub(start).Microseconds())}
}

// hundredths of a second: what happened at once stands some microseconds apart in a trace.
func hundredths(microseconds int64) int64 { return (microseconds + 5_000) / 10_000 }

// steadyClock is the time of each record on a clock that is never put back.
func steadyClock(records []lifecycle.Record) (all []time.Time) {
	for _, rec := range records {
		if n := len(all); n > 0 && all[n-1].After(rec.Time) {
			rec.Time = all[n-1]
		}
		all = append(all, rec.Time)
	}
	return all
}

// wholeSlices joins the pieces of slices that were continued.
func wholeSlices(d *drawn) (whole []*drawnSlice) {
	parted := map[string][]*drawnSlice{} // by thread and what they say
	for _, s := range d.slices {
		key := encodedKey(s)
		if waits := parted[key]; len(waits) > 0 {
			first := waits[0]
			first.end = s.end
			if s.says["continued"] != true {
				parted[key] = waits[1:]
			}
			continue
		}
		one := *s
		whole = append(whole, &one)
		if s.says["continued"] == true {
			parted[key] = append(parted[key], &one)
		}
	}
	return whole
}

func TestTraceOfTheWholeStory(t *testing.T) {
	s := exporttest.Plot(t)
	out := traced(s, s.Upto())
	exporttest.Golden(t, "session.trace.json", out)
	d := traceOf(t, s)
	require.Equal(t, "P · Audit the refunds", d.names["process 1"])
	require.Equal(t, "A1 · audit refunds", d.names["process 2"])
	require.Equal(t, []string{
		"A1.1 · audit refunds: A1.1 · audit refunds -> P2 · by notification: P2 · by notification > step 1 > model > delivered the end of · A1.1",
		"A2.1 · map callers: A2.1 · map callers -> P2 · by notification: P2 · by notification > step 1 > model > delivered the end of · A2.1",
	}, d.arrowWords("tells"))
	require.Contains(t, d.arrowWords("starts"), "P1, tool 3: agent · audit refunds -> A1.1 · audit refunds: A1.1 · audit refunds")
	require.Equal(t, map[string]any{"running": 3.0, "queued": 1.0}, map[string]any(d.curves["runs"][len(d.curves["runs"])-1].Facts))
	exporttest.Golden(t, "empty.trace.json", traced(exporttest.NewStory(t), 0))
}

// Every beginning of a session is a trace too.
func TestTraceUpToAnyRecord(t *testing.T) {
	s := exporttest.Plot(t)
	for upto := range s.Upto() + 1 {
		d := drawTrace(traced(s, upto))
		require.NoError(t, d.err(), "up to record %d", upto)
		requireEverySpan(t, s.Records[:upto], d)
	}
}

// Slices of one thread nest, so tools that work at once stand on threads of their own,
// and the next that works alone on the run's again.
func TestTraceGivesToolsAtWorkTogetherThreadsOfTheirOwn(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, exporttest.Usage(10, 1),
		exporttest.Started("a", "read", "a.go", "{}"), exporttest.Started("b", "read", "b.go", "{}"),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Call: "b", Tool: "read"}},
		exporttest.ToolEnded("a", "read", lifecycle.ToolOK, agent.PlainView{}),
		lifecycle.PermissionGranted{Question: "q", By: "person"}, exporttest.ToolEnded("b", "read", lifecycle.ToolError, agent.PlainView{}),
		lifecycle.StepStarted{Step: 2}, exporttest.Usage(10, 1), exporttest.Started("c", "read", "c.go", "{}"), exporttest.ToolEnded("c", "read", lifecycle.ToolOK, agent.PlainView{}))
	d := traceOf(t, s)
	var got []string
	for _, one := range d.slices {
		got = append(got, d.threadOf(one)+": "+one.path())
	}
	require.Equal(t, []string{
		"P1 · Go.: P1 · Go.", "P1 · Go.: P1 · Go. > queued", "P1 · Go.: P1 · Go. > step 1", "P1 · Go.: P1 · Go. > step 1 > model",
		"P1 · Go.: P1 · Go. > step 1 > read · a.go", "P1, tool 2: read · b.go", "P1, tool 2: read · b.go > question · read",
		"P1 · Go.: P1 · Go. > step 2", "P1 · Go.: P1 · Go. > step 2 > model", "P1 · Go.: P1 · Go. > step 2 > read · c.go",
	}, got)
	require.Equal(t, "error", d.slices[5].says["status"])
	require.Equal(t, "granted", d.slices[6].says["answer"])
	require.InDelta(t, 10, d.slices[3].says["usage"].(map[string]any)["input_tokens"], 0)
	require.Equal(t, true, d.slices[0].says["under_way"])
}

// Who stopped what: an arrow from the call that did.
func TestTraceShowsWhichCallStoppedARun(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, exporttest.Started("c-1", "agent", "count", "{}"))
	s.Spawn("s-1", "r-1", exporttest.Child("c-1", "general", "count", "Count.", true), lifecycle.Started{})
	s.Add(exporttest.Root, "r-p1", exporttest.ToolEnded("c-1", "agent", lifecycle.ToolOK, agent.PlainView{}), lifecycle.StepStarted{Step: 2}, exporttest.Started("c-2", "agent_stop", "count", "{}"))
	s.Add("s-1", "r-1", lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop, Reason: "found it"},
		lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseAgentStop, Reason: "found it"},
		lifecycle.Consumed{By: lifecycle.ByAgentStop, InRun: "r-p1", Call: "c-2"})
	s.Add(exporttest.Root, "r-p1", exporttest.ToolEnded("c-2", "agent_stop", lifecycle.ToolOK, agent.PlainView{}))
	d := traceOf(t, s)
	require.Equal(t, []string{"P1 · Go.: agent_stop · count -> A1.1 · count: A1.1 · count"}, d.arrowWords("stops"))
	require.Equal(t, []string{"P1 · Go.: agent · count -> A1.1 · count: A1.1 · count"}, d.arrowWords("starts"))
}

// A run whose process died ends where it was last heard of, not where it was found; its
// parent is told later all the same.
func TestTraceEndsWhatWasFoundDeadWhereItDied(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.Ended{State: lifecycle.StateCompleted})
	s.Spawn("s-1", "r-1", exporttest.Child("", "general", "count", "Count.", true), lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: "1"})
	died := s.Clock
	s.Clock = s.Clock.Add(time.Hour)
	s.Add("s-1", "r-1", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Found: true}, lifecycle.NotificationQueued{})
	s.Spawn(exporttest.Root, "r-p2", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go on."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.Add("s-1", "r-1", lifecycle.NotificationDelivered{InRun: "r-p2", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r-p2"})
	d := traceOf(t, s)
	for _, one := range d.slices {
		if one.Name == "A1.1 · count" {
			require.InDelta(t, died.Sub(s.Records[0].Time).Microseconds(), one.end, 10)
			require.Equal(t, true, one.says["found"])
		}
	}
	require.Len(t, d.arrowWords("tells"), 1)
}

// It ends no earlier than what it was asked after its last sign of life.
func TestTraceEndsWhatWasFoundDeadAfterItsStop(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.Clock = s.Clock.Add(time.Minute)
	s.Add(exporttest.Root, "r-1", lifecycle.StopRequested{Cause: lifecycle.CauseKey})
	asked := s.Clock
	s.Clock = s.Clock.Add(time.Hour)
	s.Add(exporttest.Root, "r-1", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd, Found: true})
	d := drawTrace(traced(s, s.Upto()))
	require.NoError(t, d.err())
	require.InDelta(t, asked.Sub(s.Records[0].Time).Microseconds(), d.slices[0].end, 10)
}

// The check of this test is no rubber stamp.
func TestBrokenTracesAreRefused(t *testing.T) {
	s := exporttest.Plot(t)
	out := string(traced(s, s.Upto()))
	for name, swap := range map[string][2]string{
		"an end too many":          {`{"name":"starts",`, `{"ph":"E","ts":4250000,"pid":1,"tid":23},` + "\n" + `{"name":"starts",`},
		"an end too few":           {`{"ph":"E","ts":250000,"pid":1,"tid":10,"args":{"end_record":2}},` + "\n", ""},
		"time that goes back":      {`"ph":"B","ts":500000,`, `"ph":"B","ts":200000,`},
		"an arrow from nowhere":    {`"id":1,"bp":"e"`, `"id":77,"bp":"e"`},
		"an arrow to the next":     {`"id":1,"bp":"e"`, `"id":1`},
		"a thread without a name":  {`"name":"thread_name"`, `"name":"thread_sort_index"`},
		"a process without one":    {`"name":"process_name"`, `"name":"process_labels"`},
		"a counter of words":       {`{"queued":1,"running":0}`, `{"queued":"one","running":0}`},
		"an instant of nothing":    {`"s":"t"`, `"s":"x"`},
		"a phase nobody knows":     {`"ph":"i"`, `"ph":"y"`},
		"a field nobody knows":     {`"ph":"i"`, `"ph":"i","when":1`},
		"a unit nobody knows":      {`"displayTimeUnit":"ms"`, `"displayTimeUnit":"s"`},
		"a control character":      {`P · Audit`, `P \u001b Audit`},
		"a text without an end":    {`P · Audit`, strings.Repeat("x", 300)},
		"a thread of two sessions": {`"ts":500000,"pid":1,`, `"ts":500000,"pid":2,`},
	} {
		broken := strings.Replace(out, swap[0], swap[1], 1)
		require.NotEqual(t, out, broken, name)
		require.Error(t, drawTrace([]byte(broken)).err(), name)
	}
}

// A wall clock that is put back does not turn a trace around.
func TestTraceGoesOnWhileTheClockIsBehind(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	s.Clock = s.Clock.Add(-time.Hour)
	s.Add(exporttest.Root, "r-1", exporttest.Usage(1, 1), exporttest.Started("a", "read", "a.go", "{}"))
	s.Clock = s.Clock.Add(2 * time.Hour)
	s.Add(exporttest.Root, "r-1", exporttest.ToolEnded("a", "read", lifecycle.ToolOK, agent.PlainView{}), lifecycle.Ended{State: lifecycle.StateCompleted})
	d := traceOf(t, s)
	require.Equal(t, "read · a.go", d.slices[4].Name)
	require.InDelta(t, 500_000, d.slices[4].At, 10)
}

// What outlasts the slice that it stands in goes on outside of it.
func TestTraceContinuesWhatOutlastsItsSlice(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "Go."}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.Waiting{Why: "rate limited"}, exporttest.Usage(1, 1), exporttest.Started("a", "read", "a.go", "{}"), lifecycle.StepStarted{Step: 2}, exporttest.ToolEnded("a", "read", lifecycle.ToolOK, agent.PlainView{}))
	d := traceOf(t, s)
	var got []string
	for _, one := range d.slices {
		if one.Name == "waiting" || one.Name == "read · a.go" {
			got = append(got, one.path())
		}
	}
	require.Equal(t, []string{
		"P1 · Go. > step 1 > model > waiting", "P1 · Go. > step 1 > read · a.go", "P1 · Go. > read · a.go",
	}, got)
}

// Without its content a trace has the same slices and arrows, and no word of the session.
func TestTraceWithoutContentHasTheSameShape(t *testing.T) {
	shape := func(s *exporttest.Story, bare bool) (d *drawn, sorts []string, out bytes.Buffer) {
		src, root := s.Source(), exporttest.Root
		if bare {
			var err error
			src, root, err = redact.Source(t.Context(), src, root, s.Upto())
			require.NoError(t, err)
		}
		require.NoError(t, Write(t.Context(), &out, src, root, s.Upto()))
		d = drawTrace(out.Bytes())
		require.NoError(t, d.err())
		for _, one := range d.slices {
			sorts = append(sorts, one.Category)
		}
		return d, sorts, out
	}
	whole, want, _ := shape(exporttest.Plot(t), false)
	bare, got, _ := shape(exporttest.Plot(t), true)
	require.Equal(t, want, got)
	require.Len(t, bare.arrows, len(whole.arrows))
	_, _, out := shape(exporttest.Planting(t, "xylophone"), true)
	require.NotContains(t, strings.ReplaceAll(out.String(), `"model":"xylophone"`, ""), "xylophone", "but for the model's name, which stays")
}

func TestTraceIsTame(t *testing.T) {
	s := exporttest.Hostile(t)
	traceOf(t, s)
}

func FuzzTrace(f *testing.F) {
	for _, one := range exporttest.Evil {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := exporttest.Planting(t, text)
		require.NoError(t, drawTrace(traced(s, s.Upto())).err())
	})
}
