package fleet

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// log is a session that a test makes happen.
type log struct {
	t *testing.T
	*lifecycle.Ledger
}

func newLog(t *testing.T) log {
	t.Helper()
	return log{t, lifecycle.NewLedger(lifecycle.Snapshot{Root: "root"})}
}

func (l log) happens(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) {
	l.t.Helper()
	for _, event := range events {
		require.NoError(l.t, l.Apply(lifecycle.Record{Seq: l.Seq() + 1, Time: noon.Add(time.Duration(l.Seq()) * time.Second), Root: "root", Session: session, Run: run, Event: event}))
	}
}

func (l log) begins(session lifecycle.SessionID, run lifecycle.RunID, spec lifecycle.Spec) {
	l.t.Helper()
	spec.Root = "root"
	l.happens(session, run, lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

func (l log) ends(session lifecycle.SessionID, run lifecycle.RunID, result string) {
	l.t.Helper()
	l.happens(session, run, lifecycle.Ended{State: lifecycle.StateCompleted, Result: result})
}

func (l log) status(change func(*Facts)) Status {
	f := Facts{Folder: "/shop", Title: "refunds", PID: 7, Pawl: "1.0", Started: noon, Limits: lifecycle.Limits{Background: 4, Remote: 9}, Now: noon.Add(l.since())}
	if change != nil {
		change(&f)
	}
	return Of(l.Ledger, f)
}

func (l log) since() time.Duration { return time.Duration(l.Seq()) * time.Second }

var subagent = lifecycle.Spec{Parent: "root", Background: true, Description: "read the log"}

func TestAQuestionIsWhatASessionNeedsItsUserFor(t *testing.T) {
	l := newLog(t)
	l.begins("root", "p1", lifecycle.Spec{})
	l.begins("a", "c1", subagent)
	require.Equal(t, Works, l.status(nil).State)
	l.happens("a", "c1", lifecycle.PermissionAsked{Question: lifecycle.Question{
		ID: "q", Session: "a", Run: "c1", Tool: "edit", Subject: "main.go", Who: "read the log", Because: "an ask rule", Why: "my hook",
		View: agent.EncodeView(agent.DiffView{Path: "main.go", Diff: "-old\n+new\n"}),
	}})
	s := l.status(nil)
	require.Equal(t, NeedsYou, s.State)
	require.Equal(t, "read the log: waiting for you: edit main.go", s.Activity)
	require.Equal(t, []Question{{
		Question: "q", Session: "a", Who: "read the log", Tool: "edit", Subject: "main.go",
		Text: "main.go\nan ask rule\n-old\n+new\nbecause of a hook: my hook",
	}}, s.Questions)
}

func TestAQuestionThatIsCutSaysSo(t *testing.T) {
	long := strings.Repeat("é", longestQuestion+1)
	q := questionOf(lifecycle.Question{Tool: "shell", Subject: long, View: agent.EncodeView(agent.CommandView{Command: long})})
	require.True(t, q.Cut)
	require.Len(t, []rune(q.Text), longestQuestion)
	q = questionOf(lifecycle.Question{Tool: "shell", Subject: "go test", View: agent.EncodeView(agent.CommandView{Command: "go test", Note: "for 2 minutes"})})
	require.False(t, q.Cut)
	require.Equal(t, "go test\nfor 2 minutes", q.Text)
	require.Contains(t, questionOf(lifecycle.Question{Subject: "x", View: []byte("{")}).Text, "read view")
}

func TestAStatusCountsWhatLives(t *testing.T) {
	l := newLog(t)
	l.begins("root", "p1", lifecycle.Spec{})
	l.begins("a", "c1", subagent)
	l.happens("b", "c2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Background: true}}, lifecycle.Queued{})
	l.begins("s", "s1", lifecycle.Spec{Parent: "root", Background: true, Kind: lifecycle.KindShell})
	l.happens("a", "c1", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 100, OutputTokens: 10, Cost: 0.5}}, lifecycle.PermissionDenied{Call: "x", Tool: "shell", Subject: "rm", By: "nobody"})
	s := l.status(func(f *Facts) { f.Screens, f.Memory = 2, 40 })
	require.Equal(t, Runs{Running: 2, Queued: 1}, s.Runs)
	require.Equal(t, 2, s.Subagents)
	require.Equal(t, 1, s.Shells)
	require.Equal(t, lifecycle.Slots{Limit: 4, Running: 1, Queued: 1}, s.Slots)
	require.Equal(t, 1, s.Denied)
	require.InDelta(t, 0.5, s.CostUSD, 0)
	require.EqualValues(t, 110, s.Tokens)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.Contains(t, string(text), `{"type":"status","version":1,"session":"root","folder":"/shop","title":"refunds","state":"works","pid":7,"pawl":"1.0","started":"2026-11-22T12:00:00Z","since":"2026-11-22T12:00:00Z","screens":2,`)
	require.Contains(t, string(text), `"memory_bytes":40,`)
	require.Contains(t, string(text), `"questions":[]`)
}

func TestAnActivityIsWhatHappensOrWhyNothingDoes(t *testing.T) {
	l := newLog(t)
	is := func(state State, activity string, change func(*Facts)) {
		t.Helper()
		s := l.status(change)
		require.Equal(t, activity, s.Activity)
		require.Equal(t, state, s.State)
	}
	is(Idle, "nothing was asked yet", nil)
	l.begins("root", "p1", lifecycle.Spec{})
	l.happens("root", "p1", lifecycle.ToolStarted{Call: "t", Tool: "grep", Label: "refund"})
	is(Works, "grep refund", nil)
	is(Works, "not saved: the disk is full", func(f *Facts) { f.Fault = "the disk is full" })
	l.begins("a", "c1", subagent)
	l.begins("b", "c2", lifecycle.Spec{Parent: "root", Background: true, Description: "count"})
	l.happens("root", "p1", lifecycle.ToolEnded{Call: "t", Status: lifecycle.ToolOK})
	l.ends("root", "p1", "all is well")
	is(Works, "2 subagents · count: half of them", func(f *Facts) {
		f.Progress = map[lifecycle.RunID]lifecycle.Progress{"c2": {Run: "c2", Step: 1, Activity: "half of them", At: f.Now}}
	})
	l.ends("b", "c2", "7")
	is(Works, "read the log: waiting for the model", nil)
	l.ends("a", "c1", "clean")
	l.happens("a", "c1", lifecycle.NotificationQueued{})
	is(Works, "about to be told what has ended", func(f *Facts) { f.Waking = true })
	is(Idle, "1 result waits for your next message", nil)
	l.happens("a", "c1", lifecycle.NotificationWithdrawn{By: lifecycle.ByAgentOutput})
	l.begins("s", "s1", lifecycle.Spec{Parent: "root", Background: true, Kind: lifecycle.KindShell})
	is(Idle, "1 command runs in the background", nil)
	l.ends("s", "s1", "")
	is(Idle, "all is well", nil)
}

func TestThisProcessHasMemory(t *testing.T) {
	if memory := OwnMemory(); memory != 0 {
		require.Greater(t, memory, int64(1<<20))
	}
}
