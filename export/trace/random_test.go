package trace

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/export/exporttest"
	"pawl/lifecycle"
)

// Whatever happened, in whatever order and however the clock went: the trace keeps to
// the format and has every span. No run is found dead here: such a one may have been
// asked to stop after its last sign of life, and then cannot end before that.
func TestTraceOfAnyStoryKeepsToTheFormat(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := exporttest.NewStory(t)
		for range rapid.IntRange(1, 80).Draw(r, "records") {
			tryAny(s, r)
		}
		d := drawTrace(traced(s, s.Upto()))
		require.NoError(r, d.err())
		requireEverySpan(r, s.Records, d)
	})
}

// tryAny adds a record if a run can have it.
func tryAny(s *exporttest.Story, r *rapid.T) {
	id := lifecycle.RunID(fmt.Sprint("r-", rapid.IntRange(0, 4).Draw(r, "run")))
	rec := lifecycle.Record{Seq: s.Upto() + 1, Root: exporttest.Root, Session: lifecycle.SessionID("s" + id[1:]), Run: id}
	i := slices.IndexFunc(s.Runs, func(run lifecycle.Run) bool { return run.ID == id })
	rec.Event = anyEvent(r)
	var run lifecycle.Run
	if i >= 0 {
		run = s.Runs[i]
	} else {
		rec.Event = anySpawn(r)
	}
	s.Clock = s.Clock.Add(rapid.SampledFrom([]time.Duration{0, 0, 10 * time.Millisecond, time.Second, time.Hour, -time.Hour}).Draw(r, "later"))
	rec.Time = s.Clock
	next, err := run.Apply(rec)
	if err != nil {
		return // no run has this now
	}
	s.Records = append(s.Records, rec)
	if i < 0 {
		s.Runs = append(s.Runs, next)
	} else {
		s.Runs[i] = next
	}
}

func anySpawn(r *rapid.T) lifecycle.Event {
	spec := lifecycle.Spec{Root: exporttest.Root, Trigger: lifecycle.TriggerUser}
	if rapid.Bool().Draw(r, "child") {
		spec = exporttest.Child(anyCall(r), "general", "look", "Look.", true)
		spec.Root, spec.ParentRun = exporttest.Root, anyRun(r)
	}
	return lifecycle.Spawned{Spec: spec}
}

func anyRun(r *rapid.T) lifecycle.RunID {
	return lifecycle.RunID(fmt.Sprint("r-", rapid.IntRange(0, 5).Draw(r, "other")))
}

func anyCall(r *rapid.T) lifecycle.CallID {
	return lifecycle.CallID(fmt.Sprint("c-", rapid.IntRange(0, 3).Draw(r, "call")))
}

func anyEvent(r *rapid.T) lifecycle.Event {
	question := lifecycle.QuestionID(fmt.Sprint("q-", rapid.IntRange(0, 2).Draw(r, "question")))
	ended := lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Done."}
	return rapid.SampledFrom([]lifecycle.Event{
		lifecycle.Started{},
		lifecycle.Started{},
		lifecycle.StepStarted{Step: 1},
		lifecycle.Waiting{Why: "throttled"},
		lifecycle.Text{Text: "a"},
		exporttest.Usage(3, 2),
		lifecycle.ToolStarted{Call: anyCall(r), Tool: "read"},
		lifecycle.ToolStarted{Call: anyCall(r), Tool: "agent"},
		lifecycle.ToolEnded{Call: anyCall(r), Tool: "read", Status: lifecycle.ToolOK},
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: question, Call: anyCall(r), Tool: "read"}},
		lifecycle.PermissionGranted{Question: question, By: "person"},
		lifecycle.PermissionDenied{Question: question, Tool: "read", By: "person"},
		lifecycle.Nudged{},
		lifecycle.Overdue{},
		lifecycle.Detached{},
		lifecycle.Warned{Kind: lifecycle.WarnSilence},
		lifecycle.Compacted{},
		lifecycle.MessageTaken{Message: "m", From: "user"},
		lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop},
		ended,
		lifecycle.NotificationQueued{},
		lifecycle.NotificationDelivered{InRun: anyRun(r)},
		lifecycle.Consumed{By: lifecycle.ByAgentStop, InRun: anyRun(r), Call: anyCall(r)},
	}).Draw(r, "event")
}
